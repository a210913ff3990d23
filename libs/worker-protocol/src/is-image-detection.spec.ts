import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageArbitrary } from './fixtures/arbitraries.fixture.js';
import { detectionExample } from './fixtures/examples.fixture.js';
import { imageDetectionMessage, isImageDetection } from './worker-message.js';

// Uses every field that the schema constrains, so that most mutations hit one.
const places: readonly (readonly string[])[] = [
  ['type'],
  ['subscriptionIdentifier'],
  ['timestamp'],
  ['data'],
  ['boot'],
  ['seq'],
  ['data', 'modelId'],
  ['data', 'modelName'],
  ['data', 'detection'],
  ...[
    'carModel',
    'carBrand',
    'carYear',
    'bodyType',
    'licensePlateText',
    'licensePlateType',
    'licensePlateConfidence',
    'anythingElse',
  ].map((field) => ['data', 'detection', field]),
];

const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'x'.repeat(1024),
    'x'.repeat(1025),
    '😀'.repeat(1024),
    '😀'.repeat(1025),
    Number.POSITIVE_INFINITY,
    Number.MAX_SAFE_INTEGER + 1,
    1.5,
    1,
    0,
    'a1b2c3d4',
    'a1b2-c3d4',
    [],
    {},
    'imageDetection',
    '2025-02-30T00:00:00Z',
    '2025-01-01T00:00:00',
    '2025-13-01T00:00:00Z',
    '2025-01-01T24:00:00Z',
    '2025-01-01T00:00:00+02:00',
    '2025-01-01T00:00:00Z\n',
  ),
);

function withMutation(path: readonly string[], value: unknown): unknown {
  const copy: Record<string, unknown> = structuredClone(detectionExample);
  let target = copy;
  for (const key of path.slice(0, -1)) target = target[key] as Record<string, unknown>;
  target[path.at(-1)!] = value;
  return copy;
}

describe('isImageDetection', () => {
  it('agrees with the schema on messages with one error', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.constantFrom(...places), values, (path, value) => {
        const candidate = withMutation(path, value);
        const expected = imageDetectionMessage.safeParse(candidate).success;
        seen[expected ? 'accepted' : 'refused']++;
        expect(isImageDetection(candidate)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
    expect(seen.accepted).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(100);
  });

  it('agrees with the schema on valid messages of every type and on any JSON', () => {
    fc.assert(
      fc.property(fc.oneof(messageArbitrary, fc.jsonValue()), (candidate) => {
        expect(isImageDetection(candidate)).toBe(imageDetectionMessage.safeParse(candidate).success);
      }),
      { numRuns: 1000 },
    );
  });

  it('covers every field that the schema constrains', () => {
    const { detection } = imageDetectionMessage.shape.data.shape;
    const constrained = Object.keys(detection.unwrap().unwrap().shape);
    const mutated = places.filter((path) => path.length === 3).map((path) => path[2]);
    expect(mutated).toEqual(expect.arrayContaining(constrained));
    expect(Object.keys(imageDetectionMessage.shape.data.shape).sort()).toEqual([
      'detection',
      'modelId',
      'modelName',
    ]);
    expect(Object.keys(imageDetectionMessage.shape).sort()).toEqual([
      'boot',
      'data',
      'seq',
      'subscriptionIdentifier',
      'timestamp',
      'type',
    ]);
  });
});
