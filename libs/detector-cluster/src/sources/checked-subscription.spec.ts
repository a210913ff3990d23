import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkedSubscription } from './checked-subscription.js';

const good = {
  subscriptionIdentifier: 'd1;c1',
  rtspUrl: 'rtsp://h/1',
  modelId: 1,
  modelName: 'cars',
  createdAt: '2026-01-01T00:00:00.000Z',
};

describe('checkedSubscription', () => {
  it('keeps only known fields', () => {
    const whole = {
      ...good,
      snapshotUrl: 'http://h/1.jpg',
      snapshotInterval: 500,
      modelUrl: 'http://m/1',
      modelVersion: 'v1',
      cropX1: 0,
      cropY1: 0,
      cropX2: 5,
      cropY2: 5,
    };
    expect(checkedSubscription({ ...whole, more: 1n })).toEqual(whole);
    expect(checkedSubscription({ ...good, snapshotUrl: null, cropX1: null })).toEqual(good);
  });

  it.each<[string, object, string]>([
    ['invalid-display-id', { subscriptionIdentifier: 'no separator' }, ''],
    ['invalid-display-id', { subscriptionIdentifier: 7n }, ''],
    ['invalid-display-id', { subscriptionIdentifier: ';c' }, ''],
    ['invalid-camera-id', { subscriptionIdentifier: 'd;' }, ''],
    ['invalid-rtsp-url', { rtspUrl: undefined }, 'd1'],
    ['invalid-snapshot', { snapshotInterval: 5n }, 'd1'],
    ['invalid-model', { modelId: 1n }, 'd1'],
    ['invalid-model', { modelName: null }, 'd1'],
    ['invalid-model', { modelVersion: '' }, 'd1'],
    ['invalid-model', { modelVersion: 7n }, 'd1'],
    ['invalid-crop', { cropX1: 1n }, 'd1'],
  ])('says %s of %p', (reason, wrong, displayId) => {
    expect(checkedSubscription({ ...good, ...wrong })).toEqual({
      displayId,
      reason,
      detail: expect.stringMatching(/./),
    });
  });

  it('never throws, and accepts only entries that can be written as JSON', () => {
    const value = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true });
    const entry = fc.dictionary(
      fc.constantFrom(...Object.keys(good), 'cropX1', 'snapshotUrl', 'modelUrl', 'modelVersion'),
      value,
    );
    fc.assert(
      fc.property(entry, (fields) => {
        expect(() => JSON.stringify(checkedSubscription({ ...good, ...fields }))).not.toThrow();
      }),
    );
  });
});
