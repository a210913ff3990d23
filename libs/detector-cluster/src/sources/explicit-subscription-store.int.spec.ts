import { randomUUID } from 'node:crypto';
import { closeRedis } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NetworkPolicy } from '../shared/network-policy.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { SecretBox } from './secret-box.js';
import { specHash } from '@detector-cluster/placement/internal';
import type { ExplicitSubscriptionStore } from './explicit-subscription-store.js';
import { REQUESTER, requestStore } from './requests.fixture.js';
import { explicitSubscription } from './subscription-requests.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';

const redis: Redis = openPatientRedis(process.env.REDIS_URL!);
afterAll(() => closeRedis(redis));

const subscription = (subscriptionIdentifier: string) =>
  explicitSubscription(
    {
      subscriptionIdentifier,
      rtspUrl: 'rtsp://h/1',
      modelUrl: 'http://s3/m.mpta?version=1',
      modelId: 1,
      modelName: 'm',
    },
    new Date('2025-08-12T10:00:00Z'),
    NetworkPolicy.default,
  );

describe('ExplicitSubscriptionStore', () => {
  let keys: ReturnType<typeof clusterKeys>;
  let store: ExplicitSubscriptionStore;

  beforeEach(() => {
    keys = clusterKeys(`test-${randomUUID()}:`);
    store = requestStore(redis, keys, null);
  });
  afterEach(() => redis.del(keys.requested));

  it('keeps, replaces, lists in order and removes', async () => {
    expect(await store.list()).toEqual({ subscriptions: [], redacted: [], held: [], corrupt: [] });
    await store.put(subscription('b;1'));
    await store.put(subscription('a;1'));
    await store.put({ ...subscription('b;1'), modelName: 'new' });
    expect((await store.list()).subscriptions).toEqual([
      subscription('a;1'),
      { ...subscription('b;1'), modelName: 'new' },
    ]);
    expect(await store.remove('a;1')).toBe(true);
    expect(await store.remove('a;1')).toBe(false);
    expect((await store.list()).subscriptions.map((s) => s.subscriptionIdentifier)).toEqual(['b;1']);
  });

  it('removes by camera, and by exactly this camera', async () => {
    for (const id of ['a;1', 'b;1', 'a;11', '1;2']) await store.put(subscription(id));
    expect(await store.removeByCamera('1')).toEqual(['a;1', 'b;1']);
    expect(await store.removeByCamera('1')).toEqual([]);
    expect((await store.list()).subscriptions.map((s) => s.subscriptionIdentifier)).toEqual(['1;2', 'a;11']);
  });

  it('reports the records that it cannot read, and continues', async () => {
    await store.put(subscription('good;1'));
    await redis.hset(keys.requested, {
      'bad;1': '{"subscriptionIdentifier"',
      'bad;2': 'null',
      'bad;3': JSON.stringify({ ...subscription('bad;3'), rtspUrl: 'ftp://u:secret@h' }),
      'bad;4': JSON.stringify(subscription('other;4')),
      bad: JSON.stringify({ ...subscription('a;1'), subscriptionIdentifier: 'bad' }),
    });
    const { subscriptions, corrupt } = await store.list();
    expect(subscriptions.map((s) => s.subscriptionIdentifier)).toEqual(['good;1']);
    expect(corrupt).toEqual([
      { subscriptionIdentifier: 'bad', detail: expect.stringContaining('subscriptionIdentifier') },
      { subscriptionIdentifier: 'bad;1', detail: 'is not JSON' },
      { subscriptionIdentifier: 'bad;2', detail: expect.stringMatching(/./) },
      { subscriptionIdentifier: 'bad;3', detail: expect.stringContaining('rtspUrl: must start with') },
      { subscriptionIdentifier: 'bad;4', detail: 'holds the subscription "other;4"' },
    ]);
    expect(JSON.stringify(corrupt)).not.toContain('secret');
    expect(await redis.hlen(keys.requested)).toBe(6);
  });

  it('encrypts secrets, and reads them only with the same secret', async () => {
    const box = new SecretBox(['a-secret-of-at-least-32-characters']);
    const secretive = {
      ...subscription('d;c'),
      rtspUrl: 'rtsp://u:hunter2@h/1',
      snapshotUrl: 'http://u:hunter2@h/1.jpg',
      modelUrl: 'https://s3/m.mpta?X-Amz-Signature=hunter2',
    };
    const sealing = requestStore(redis, keys, box);
    await sealing.put(secretive);
    expect(await redis.hget(keys.requested, 'd;c')).not.toContain('hunter2');
    expect(await sealing.list()).toEqual({ subscriptions: [secretive], redacted: [], held: [], corrupt: [] });

    const spec = {
      ...secretive,
      rtspUrl: 'rtsp://***@h/1',
      snapshotUrl: 'http://***@h/1.jpg',
      modelUrl: 'https://s3/m.mpta',
    };
    const redacted = [{ spec, hash: specHash(secretive, box.hashKey), otherSecret: true }];
    expect(await store.list()).toEqual({ subscriptions: [], redacted, held: [], corrupt: [] });
    const other = requestStore(redis, keys, new SecretBox(['x'.repeat(32)]));
    expect(await other.list()).toEqual({ subscriptions: [], redacted, held: [], corrupt: [] });

    await redis.hset(
      keys.requested,
      'd2;c',
      (await redis.hget(keys.requested, 'd;c'))!.replace('d;c', 'd2;c'),
    );
    expect((await sealing.list()).redacted.map((entry) => entry.spec.subscriptionIdentifier)).toEqual([
      'd2;c',
    ]);
  });

  it.each<[string, object]>([
    ['rtspUrl', { rtspUrl: 'rtsp://u:hunter2@h/1' }],
    ['snapshotUrl', { snapshotUrl: 'http://h/1.jpg?password=hunter2' }],
    ['modelUrl', { modelUrl: 'https://s3/m?X-Amz-Signature=hunter2' }],
  ])(
    'stores a request without the secret in %s when there is nothing to encrypt it with',
    async (_, change) => {
      const secretive = { ...subscription('d;c'), ...change };
      await store.put(secretive);
      expect(await redis.hget(keys.requested, 'd;c')).not.toContain('hunter2');
      const { held, redacted, subscriptions } = await store.list();
      expect(subscriptions).toEqual([]);
      expect(held).toEqual([{ subscriptionIdentifier: 'd;c', requester: REQUESTER }]);
      expect(redacted).toMatchObject([{ hash: specHash(secretive), otherSecret: false }]);
    },
  );

  it('rejects an invalid identifier without a request to Redis', async () => {
    await expect(store.remove('x')).rejects.toThrow(/^subscriptionIdentifier: /);
    await expect(store.removeByCamera('a;b')).rejects.toThrow(/^cameraIdentifier: /);
  });
});
