import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectionExample, stateReportExample } from './fixtures/examples.fixture.js';
import { MAX_FRAME_BYTES, MAX_NESTING } from './protocol-constants.js';
import { parseWorkerMessage } from './frames.js';

const parse = (value: unknown) => parseWorkerMessage(JSON.stringify(value));
const kindOf = (raw: string | Buffer) => {
  const result = parseWorkerMessage(raw);
  return result.ok ? 'ok' : result.kind;
};
const detectionWith = (detection: unknown) => ({
  ...detectionExample,
  data: { ...detectionExample.data, detection },
});
const reportWith = (row: object) => ({
  ...stateReportExample,
  cameraConnections: [{ ...stateReportExample.cameraConnections[0], ...row }],
});
const frame = (filler: string) => JSON.stringify({ ...stateReportExample, filler });
const nested = (depth: number) =>
  `{"type":"patchSession","sessionId":1,"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;

describe('parseWorkerMessage', () => {
  it.each([
    ['a detection', detectionExample],
    ['a detection that found nothing', detectionWith(null)],
    ['an empty detection', detectionWith({})],
    ['a detection without the field', detectionWith(undefined)],
    ['null in known fields', detectionWith({ carYear: null, carModel: null })],
    ['a report', stateReportExample],
    ['a report without metrics', { type: 'stateReport', cameraConnections: [] }],
    ['a crop as a corner', reportWith({ cropX: 10, cropY: 20 })],
    ['a crop as a rectangle', reportWith({ cropX1: 1, cropY1: 2, cropX2: 3, cropY2: 4 })],
    ['a crop of nulls', reportWith({ cropX: null, cropY1: null })],
    ['fields of a later version', { ...stateReportExample, hello: { world: [1] } }],
    ['a session patch', { type: 'patchSession', sessionId: 4, data: { any: ['thing'] } }],
    ['a session patch without data', { type: 'patchSession', sessionId: 4 }],
  ])('accepts %s', (_, message) => {
    expect(parse(message)).toEqual({ ok: true, message: JSON.parse(JSON.stringify(message)) });
  });

  it.each([
    ['not-json', ''],
    ['not-json', '{"type":"stateReport"'],
    ['not-json', '\u0000\u0001'],
    ['not-json', Buffer.from([0xff, 0xfe, 0x00])],
    ['not-an-object', '[1]'],
    ['not-an-object', 'null'],
    ['not-an-object', '"stateReport"'],
    ['unknown-type', '{}'],
    ['unknown-type', '{"type":7}'],
    ['unknown-type', '{"type":"subscribe"}'],
    ['unknown-type', '{"type":"__proto__"}'],
    ['unknown-type', '{"type":"constructor"}'],
    ['unknown-type', '{"type":"toString"}'],
    ['invalid-imageDetection', '{"type":"imageDetection"}'],
    ['invalid-stateReport', '{"type":"stateReport","cameraConnections":{}}'],
    ['invalid-stateReport', '{"type":"stateReport","cpuUsage":"high","cameraConnections":[]}'],
    ['invalid-stateReport', '{"type":"stateReport","cpuUsage":1e999,"cameraConnections":[]}'],
    ['invalid-patchSession', '{"type":"patchSession","sessionId":"4"}'],
  ] as const)('says %s to %j', (kind, raw) => {
    expect(kindOf(raw as string | Buffer)).toBe(kind);
  });

  it('measures the limit in bytes, for text and for buffers', () => {
    const room = MAX_FRAME_BYTES - Buffer.byteLength(frame(''));
    expect(kindOf(frame('x'.repeat(room)))).toBe('ok');
    expect(kindOf(frame('x'.repeat(room + 1)))).toBe('too-large');
    const twoBytesEach = frame('é'.repeat(room / 2 + 1));
    expect(twoBytesEach.length).toBeLessThan(MAX_FRAME_BYTES);
    expect(kindOf(twoBytesEach)).toBe('too-large');
    expect(kindOf(Buffer.from(twoBytesEach))).toBe('too-large');
    expect(kindOf(Buffer.alloc(2 * MAX_FRAME_BYTES))).toBe('too-large');
  });

  it('refuses nesting that would overflow the stack of a recursive reader', () => {
    expect(kindOf(nested(MAX_NESTING - 1))).toBe('ok');
    expect(kindOf(nested(MAX_NESTING))).toBe('too-deep');
    expect(kindOf(nested(400_000))).toBe('too-deep');
    expect(kindOf('['.repeat(MAX_FRAME_BYTES))).toBe('too-deep');
  });

  it('drops keys that poison prototypes, with and without escapes', () => {
    const poison = [
      '"__proto__":{"polluted":1}',
      '"\\u005f_proto__":{"polluted":1}',
      '"__prot\\u006F__":{"polluted":1}',
      '"constructor":{"prototype":{"polluted":1}}',
      '"construct\\u006fr":{"prototype":{"polluted":1}}',
    ];
    for (const member of poison) {
      const result = parseWorkerMessage(
        `{${member},"type":"imageDetection","subscriptionIdentifier":"a;b","timestamp":"2025-01-01T00:00:00Z",` +
          `"data":{"modelId":1,"modelName":"m","detection":{"kept":1,${member},"list":[{${member}}]}}}`,
      );
      expect(result).toEqual({
        ok: true,
        message: {
          type: 'imageDetection',
          subscriptionIdentifier: 'a;b',
          timestamp: '2025-01-01T00:00:00Z',
          data: { modelId: 1, modelName: 'm', detection: { kept: 1, list: [{}] } },
        },
      });
      const merged = Object.assign(
        {},
        (result as { message: { data: { detection: object } } }).message.data.detection,
      );
      expect((merged as { polluted?: number }).polluted).toBeUndefined();
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('keeps a harmless field called constructor', () => {
    expect(parse(detectionWith({ constructor: 'Honda' }))).toMatchObject({
      ok: true,
      message: { data: { detection: { constructor: 'Honda' } } },
    });
  });

  it('names the field and never the value', () => {
    const result = parse({ ...reportWith({ modelId: 'rtsp://user:hunter2@host' }) });
    expect(result).toMatchObject({
      ok: false,
      kind: 'invalid-stateReport',
      detail: expect.stringContaining('cameraConnections.0.modelId'),
    });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('quotes an unknown type on one short line', () => {
    const result = parse({ type: `evil\nINFO forged${'x'.repeat(500)}` });
    expect(result).toMatchObject({ ok: false, kind: 'unknown-type' });
    const { detail } = result as { detail: string };
    expect(detail).not.toContain('\n');
    expect(detail.length).toBeLessThanOrEqual(200);
  });

  it.each([
    [{ modelState: 'asleep', reason: 'x' }, { reason: 'x' }, 'modelState'],
    [{ modelState: 'failed', reason: 7 }, { modelState: 'failed' }, 'reason'],
    [{ modelState: {}, reason: [] }, {}, 'modelState'],
  ])('reads a report without the invalid fields of %j, and says so', (fields, kept, named) => {
    const [first] = stateReportExample.cameraConnections;
    const cameraConnections = [first, { ...first, ...fields }];
    expect(parseWorkerMessage(JSON.stringify({ ...stateReportExample, cameraConnections }))).toEqual({
      ok: true,
      message: { ...stateReportExample, cameraConnections: [first, { ...first, ...kept }] },
      ignored: `cameraConnections.1.${named}: is ignored, because it is invalid`,
    });
    const wrong = { ...first, ...fields, modelId: 'x' };
    expect(
      parseWorkerMessage(JSON.stringify({ ...stateReportExample, cameraConnections: [wrong] })),
    ).toMatchObject({ ok: false, kind: 'invalid-stateReport', detail: expect.stringMatching(/modelId/) });
  });

  it.each([7, [7], [{ modelId: 'x' }], [{ modelId: 1, modelVersion: 2 }]])(
    'reads a report without the invalid loadedModels %j, and says so',
    (loadedModels) => {
      expect(parseWorkerMessage(JSON.stringify({ ...stateReportExample, loadedModels }))).toEqual({
        ok: true,
        message: stateReportExample,
        ignored: 'loadedModels: is ignored, because it is invalid',
      });
    },
  );

  it('never throws, and keeps its details short, on arbitrary bytes, text and JSON', () => {
    const frames = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.json(),
      fc
        .tuple(fc.constantFrom('imageDetection', 'stateReport', 'patchSession', 'other'), fc.jsonValue())
        .map(([type, value]) => JSON.stringify({ ...(Object(value) as object), type })),
    );
    fc.assert(
      fc.property(frames, (frame) => {
        const result = parseWorkerMessage(frame);
        if (!result.ok) expect(result.detail.length).toBeLessThanOrEqual(200);
      }),
      { numRuns: 2000 },
    );
  });
});
