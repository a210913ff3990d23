import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageArbitrary, timestampArbitrary } from '../fixtures/arbitraries.fixture.js';
import { brokenSomewhere } from '../fixtures/broken-somewhere.fixture.js';
import { detectionExample, stateReportExample } from '../fixtures/examples.fixture.js';
import { mutatedText } from '../fixtures/mutated-text.fixture.js';
import type { ImageDetectionMessage } from '../worker-message.js';
import { MAX_FRAME_BYTES } from '../protocol-constants.js';
import { parseWorkerMessage } from './frames.js';
import { subscriptionOfDetection } from './subscription-of-detection.js';

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 10 });
const text = fc.string({ unit: fc.constantFrom(...'aZ09 ;/é中😀"\\\n'), maxLength: 12 });
const number = fc.oneof(
  fc.integer(),
  fc.integer().map((n) => n / 1000),
);

/** Messages as workers send them: only members of the protocol, and fields that the model adds to a detection. */
const plainDetections: fc.Arbitrary<ImageDetectionMessage> = fc.record({
  type: fc.constant('imageDetection' as const),
  subscriptionIdentifier: fc.string({ unit: fc.constantFrom(...'ab0-;é中😀'), minLength: 1, maxLength: 20 }),
  timestamp: timestampArbitrary,
  data: fc.record({
    detection: some(
      fc.record(
        {
          carModel: some(text),
          carYear: some(number),
          licensePlateConfidence: some(number),
          licensePlateText: some(text),
          box: fc.array(fc.integer(), { maxLength: 4 }),
          more: fc.dictionary(
            fc.string({ unit: fc.constantFrom(...'abé中') }),
            fc.oneof(number, text, fc.boolean()),
            {
              maxKeys: 2,
            },
          ),
        },
        { requiredKeys: [] },
      ),
    ),
    modelId: fc.integer(),
    modelName: text,
  }),
});

const parsed = (frame: Buffer): string | null => {
  const result = parseWorkerMessage(frame);
  return result.ok && result.message.type === 'imageDetection' ? result.message.subscriptionIdentifier : null;
};

const read = (text: string) => subscriptionOfDetection(Buffer.from(text));
const readMessage = (message: object) => read(JSON.stringify(message));
const withDetection = (detection: object) => ({
  ...detectionExample,
  data: { ...detectionExample.data, detection },
});

/** The members of both objects in one. */
const twice = (first: object, last: object): string =>
  `${JSON.stringify(first).slice(0, -1)},${JSON.stringify(last).slice(1)}`;

/** Whether the result equals that of the parser or is null; counts both. */
function comparison() {
  const seen = { read: 0, left: 0, refused: 0 };
  const compare = (frame: Buffer) => {
    const found = subscriptionOfDetection(frame);
    const expected = parsed(frame);
    if (found !== null) expect(found).toBe(expected);
    seen[found !== null ? 'read' : expected !== null ? 'left' : 'refused']++;
  };
  return { seen, compare };
}

describe('subscriptionOfDetection', () => {
  it("reads workers' messages with any white space", () => {
    fc.assert(
      fc.property(plainDetections, fc.constantFrom('', ' '), (message, indent) => {
        expect(read(JSON.stringify(message, undefined, indent))).toBe(message.subscriptionIdentifier);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts nothing that the parser refuses: messages with a changed value', () => {
    const { seen, compare } = comparison();
    fc.assert(
      fc.property(brokenSomewhere(fc.oneof(plainDetections, messageArbitrary)), ({ candidate }) =>
        compare(Buffer.from(JSON.stringify(candidate))),
      ),
      { numRuns: 5000 },
    );
    expect(seen.read).toBeGreaterThan(500);
    expect(seen.refused).toBeGreaterThan(500);
  });

  it('accepts nothing that the parser refuses: texts with changed characters', () => {
    const { seen, compare } = comparison();
    const texts = fc
      .oneof(plainDetections, fc.constant(detectionExample))
      .map((each) => JSON.stringify(each));
    fc.assert(
      fc.property(mutatedText(texts), (text) => compare(Buffer.from(text))),
      { numRuns: 10_000 },
    );
    expect(seen.read).toBeGreaterThan(1_000);
    expect(seen.refused).toBeGreaterThan(1_000);
  });

  it('accepts nothing that the parser refuses: frames with changed bytes, also invalid UTF-8', () => {
    const { seen, compare } = comparison();
    const frames = plainDetections.map((message) => Buffer.from(JSON.stringify(message)));
    fc.assert(
      fc.property(frames, fc.nat(), fc.nat({ max: 255 }), (frame, position, byte) => {
        frame[position % frame.length] = byte;
        compare(frame);
      }),
      { numRuns: 5000 },
    );
    expect(seen.read).toBeGreaterThan(500);
    expect(seen.refused).toBeGreaterThan(500);
  });

  it.each([
    ['the example', JSON.stringify(detectionExample)],
    ['no detection', JSON.stringify({ ...detectionExample, data: { modelId: 1, modelName: '' } })],
    [
      'a detection of null',
      JSON.stringify(detectionExample).replace(/"detection":{.*?}/, '"detection":null'),
    ],
    ['an empty detection', JSON.stringify(withDetection({}))],
    ['fields of null', JSON.stringify(withDetection({ carModel: null, carYear: null }))],
    [
      'unknown fields of any kind',
      JSON.stringify(withDetection({ box: [1, { x: [] }], on: true, off: false })),
    ],
    [
      'members in another order',
      JSON.stringify(Object.fromEntries(Object.entries(detectionExample).toReversed())),
    ],
    ['spaces, as Python writes them', JSON.stringify(detectionExample).replaceAll(/([:,])"/g, '$1 "')],
  ])('reads %s', (_, text) => {
    expect(read(text)).toBe(detectionExample.subscriptionIdentifier);
  });

  it.each([
    ['another type', JSON.stringify(stateReportExample)],
    ['a member outside of the protocol', JSON.stringify({ ...detectionExample, traceparent: '00-1-2-01' })],
    ['a member that comes twice', JSON.stringify(detectionExample).replace('{', '{"type":"stateReport",')],
    ['an escape in a name', JSON.stringify(detectionExample).replace('modelId', 'model\\u0049d')],
    ['an escape in the identifier', JSON.stringify({ ...detectionExample, subscriptionIdentifier: 'a"b' })],
    [
      'an identifier that may be too long',
      JSON.stringify({ ...detectionExample, subscriptionIdentifier: 'x'.repeat(1025) }),
    ],
    ['an empty identifier', JSON.stringify({ ...detectionExample, subscriptionIdentifier: '' })],
    ['a number that may be infinite', JSON.stringify(detectionExample).replace('2021', '1e999')],
    [
      'a number that may be no safe integer',
      JSON.stringify(detectionExample).replace('12,', '9007199254740993,'),
    ],
    ['a model of text', JSON.stringify(detectionExample).replace('"modelId":12', '"modelId":"12"')],
    ['an invalid time', JSON.stringify({ ...detectionExample, timestamp: '2026-13-01T00:00:00Z' })],
    ['text after its end', `${JSON.stringify(detectionExample)}}`],
    ['a frame that is too large', JSON.stringify(withDetection({ note: 'x'.repeat(MAX_FRAME_BYTES) }))],
  ])('says nothing of %s', (_, text) => {
    expect(read(text)).toBeNull();
  });

  it('takes the last of repeated members, and checks all', () => {
    expect(read(twice({ subscriptionIdentifier: 'a;b' }, detectionExample))).toBe('display-7;gate-2');
    expect(read(twice(detectionExample, { subscriptionIdentifier: 'a;b' }))).toBe('a;b');
    expect(parsed(Buffer.from(twice(detectionExample, { subscriptionIdentifier: 'a;b' })))).toBe('a;b');
    expect(read(twice(detectionExample, { data: { modelId: 1 } }))).toBeNull();
  });

  it('covers the whole protocol, field by field', () => {
    for (const field of ['carModel', 'carBrand', 'bodyType', 'licensePlateText', 'licensePlateType']) {
      expect(readMessage(withDetection({ [field]: 'x' }))).not.toBeNull();
      expect(readMessage(withDetection({ [field]: 1 }))).toBeNull();
    }
    for (const field of ['carYear', 'licensePlateConfidence']) {
      expect(readMessage(withDetection({ [field]: -1.25 }))).not.toBeNull();
      expect(readMessage(withDetection({ [field]: '1' }))).toBeNull();
    }
  });
});
