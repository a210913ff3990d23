import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import { NetworkPolicy } from '../shared/network-policy.js';
import { readStored } from './stored-subscription.js';
import { explicitSubscription as toSubscription, type SubscribeInput } from './subscription-requests.js';

const now = new Date('2025-08-12T10:00:00Z');
const input: SubscribeInput = {
  subscriptionIdentifier: 'display-1;cam-1',
  rtspUrl: 'rtsp://u:p@h:554/1',
  modelUrl: 'https://s3/m.mpta?sig=1',
  modelId: 42,
  modelName: 'vehicles-v2',
};

const explicitSubscription = (given: SubscribeInput, at: Date) =>
  toSubscription(given, at, NetworkPolicy.default);

const crop = (cropX1?: number, cropY1?: number, cropX2?: number, cropY2?: number) => () =>
  explicitSubscription({ ...input, cropX1, cropY1, cropX2, cropY2 }, now);

describe('explicitSubscription', () => {
  it('keeps the given fields, and returns a subscription that can be read back from Redis', () => {
    const full = {
      ...input,
      snapshotUrl: 'http://h/1.jpg',
      snapshotInterval: 5000,
      modelVersion: 'v1',
      cropX1: 0,
      cropY1: 50,
      cropX2: 800,
      cropY2: 600,
    };
    const subscription = explicitSubscription(full, now);
    expect(subscription).toEqual({ ...full, createdAt: now.toISOString() });
    expect(readStored(input.subscriptionIdentifier, JSON.stringify(subscription))).toEqual(subscription);
  });

  it('treats null as absent', () => {
    expect(
      explicitSubscription(
        { ...input, snapshotUrl: null, snapshotInterval: null, modelVersion: null, cropX1: null },
        now,
      ),
    ).toEqual({ ...input, createdAt: now.toISOString() });
  });

  it.each<[string, unknown]>([
    ['subscriptionIdentifier', 'no-separator'],
    ['subscriptionIdentifier (displayId)', ';cam'],
    ['subscriptionIdentifier (cameraId)', 'd;'],
    ['subscriptionIdentifier', 'a;b;c'],
    ['subscriptionIdentifier (cameraId)', 'd;c\u0000'],
    ['subscriptionIdentifier', undefined],
    ['rtspUrl', 'rtsp://169.254.169.254/1'],
    ['snapshotUrl', 'http://metadata.google.internal/'],
    ['rtspUrl', 'udp://h/1'],
    ['rtspUrl', 'rtsp://h/ 1'],
    ['modelUrl', 'rtsp://h/1'],
    ['modelUrl', undefined],
    ['modelId', '42'],
    ['modelId', 4.2],
    ['modelId', Number.NaN],
    ['modelName', ''],
    ['modelVersion', ''],
    ['modelVersion', 'v'.repeat(129)],
    ['snapshotUrl', 'rtsp://h/1'],
    ['snapshotInterval', 0],
    ['snapshotInterval', Number.POSITIVE_INFINITY],
    ['cropX1', 0.5],
  ])('names %s for %j', (field, value) => {
    const bad = { ...input, [field.replace(/ .*/, '')]: value } as SubscribeInput;
    let error: unknown;
    try {
      explicitSubscription(bad, now);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ field, message: expect.stringMatching(/: ./) });
  });

  it('requires a complete crop with ordered corners', () => {
    expect(crop(1, 2, 3)).toThrow(/^cropY2: is missing/);
    expect(crop(3, 2, 3, 4)).toThrow(/^cropX2: must be above cropX1/);
    expect(crop(1, 5, 3, 4)).toThrow(/^cropY2: must be above cropY1/);
    expect(crop(1, 2, 3, 4)).not.toThrow();
  });
});

describe('readStored', () => {
  it.each<[string, unknown]>([
    ['', null],
    ['', 'text'],
    ['createdAt: ', { ...input }],
    ['createdAt: ', { ...input, createdAt: 'yesterday' }],
    ['cropY1: ', { ...input, createdAt: now.toISOString(), cropX1: 1 }],
    ['snapshotUrl: ', { ...input, createdAt: now.toISOString(), snapshotUrl: 'x' }],
    ['subscriptionIdentifier: ', { ...input, createdAt: now.toISOString(), subscriptionIdentifier: 'x' }],
    ['requester: ', { ...input, createdAt: now.toISOString(), requester: 'x' }],
  ])('names %s for %j', (field, value) => {
    const problem = readStored(input.subscriptionIdentifier, JSON.stringify(value));
    expect(problem).toEqual(expect.stringMatching(/./));
    expect(problem).toContain(field);
  });
});
