import { describe, expect, it } from 'vitest';
import type { DesiredCameraSubscription } from './subscriptions.js';
import { specHash } from './spec-hash.js';

const base: DesiredCameraSubscription = {
  subscriptionIdentifier: 'd;c',
  rtspUrl: 'rtsp://h/1',
  modelId: 1,
  modelName: 'm',
  createdAt: '2025-01-01T00:00:00.000Z',
};

describe('specHash', () => {
  // One version stores the hash in Redis and the next compares it: a changed value would resubscribe every stream.
  it('is stable', () => {
    expect(specHash(base)).toBe('a9f74367c2d9752eb907e18bdbc2118e');
  });

  it('ignores the model URL, the creation time, and the order and absence of fields', () => {
    const same = { ...base, modelUrl: 'http://x/?sig=1', createdAt: '', cropX1: undefined } as never;
    expect(specHash(same)).toBe(specHash(base));
    expect(specHash(Object.fromEntries(Object.entries(base).toReversed()) as never)).toBe(specHash(base));
  });

  it('differs for each key', () => {
    const keyed = specHash(base, Buffer.from('key'));
    expect(keyed).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set([keyed, specHash(base, Buffer.from('other')), specHash(base)]).size).toBe(3);
  });

  it.each([
    { subscriptionIdentifier: 'd;c2' },
    { rtspUrl: 'rtsp://h/2' },
    { modelId: 2 },
    { modelName: 'n' },
    { modelVersion: '1' },
    { snapshotUrl: 'http://h' },
    { snapshotInterval: 1 },
    { cropX1: 0 },
    { cropX2: 0 },
    { cropY1: 0 },
    { cropY2: 0 },
  ])('differs by %j', (change) => {
    expect(specHash({ ...base, ...change })).not.toBe(specHash(base));
  });
});
