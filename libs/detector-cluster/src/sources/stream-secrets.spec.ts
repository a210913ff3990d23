import { describe, expect, it } from 'vitest';
import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { secretField, withoutSecrets } from './stream-secrets.js';

const plain: DesiredCameraSubscription = {
  subscriptionIdentifier: 'd;c',
  rtspUrl: 'rtsp://h/stream/1',
  snapshotUrl: 'http://h/1.jpg',
  modelUrl: 'http://models/get?id=7',
  modelId: 7,
  modelName: 'cars',
  createdAt: '2026-01-01T00:00:00.000Z',
};

describe('withoutSecrets', () => {
  it('does not change URLs without secrets', () => {
    expect(withoutSecrets(plain)).toEqual(plain);
    expect(secretField(plain)).toBeNull();
    const { snapshotUrl: _s, modelUrl: _m, ...least } = plain;
    expect(withoutSecrets(least)).toEqual(least);
  });

  it.each<[keyof DesiredCameraSubscription, string, string]>([
    ['rtspUrl', 'rtsp://u:hunter2@h/1', 'rtsp://***@h/1'],
    ['rtspUrl', 'rtsp://h/1?user=a&password=hunter2', 'rtsp://h/1?***'],
    ['rtspUrl', 'rtsp://h/user=a_password=hunter2_channel=1', 'rtsp://h/***'],
    ['snapshotUrl', 'http://u:hunter2@h/1.jpg', 'http://***@h/1.jpg'],
    ['snapshotUrl', 'http://h/1.jpg?pwd=hunter2', 'http://h/1.jpg?***'],
    ['modelUrl', 'https://s3/m?X-Amz-Date=1&X-Amz-Signature=hunter2', 'https://s3/m'],
    ['modelUrl', 'https://blob/m?sv=1&sig=hunter2', 'https://blob/m'],
    ['modelUrl', 'https://u:hunter2@files/m', 'https://files/m'],
  ])('takes them out of %s', (field, url, open) => {
    const subscription = { ...plain, [field]: url };
    expect(withoutSecrets(subscription)).toEqual({ ...plain, [field]: open });
    expect(secretField(subscription)).toBe(field);
  });
});
