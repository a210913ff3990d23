import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { FencedStore } from '../fence/fenced-store.js';
import { clusterKeys } from '../redis/cluster-keys.js';
import { PatchDesk } from './patch-desk.js';
import { SessionPatches } from './session-patches.js';

const redis = openRedis(process.env.REDIS_URL!, { ...commandSettings, enableOfflineQueue: true });
afterAll(() => closeRedis(redis));

const message = { type: 'patchSession', sessionId: 7, data: 1 } as const;

describe('PatchDesk', () => {
  let keys: ReturnType<typeof clusterKeys>;
  let answers: unknown[];
  beforeEach(() => {
    keys = clusterKeys(`{test-${randomUUID()}}:`);
    answers = [];
  });

  function desk(term: number, handler?: () => Promise<void>) {
    const store = new FencedStore(redis, keys.fence, term);
    const patches = new SessionPatches({ onFailure: () => undefined });
    if (handler) patches.handleWith(handler);
    const reply = (worker: string, { payload }: { payload: object }) =>
      answers.push([term, worker, { ...payload }]);
    return { store, desk: new PatchDesk({ store, keys, patches, reply }) };
  }

  it('answers, and leaves no note behind', async () => {
    await desk(1, async () => undefined).desk.take('ws://a', message);
    expect(answers).toEqual([[1, 'ws://a', { sessionId: 7, success: true }]]);
    expect(await redis.exists(keys.patches)).toBe(0);
  });

  it('leaves to the successor what it could not answer in time, which answers once', async () => {
    let finish: (() => void) | undefined;
    const stored = new Promise<void>((resolve) => (finish = resolve));
    const old = desk(1, () => stored);
    const taking = old.desk.take('ws://a', message);
    while ((await redis.hlen(keys.patches)) === 0);
    const next = desk(2);
    await next.store.raise();
    await next.desk.load(redis);
    await next.desk.connected('ws://b');
    expect(answers).toEqual([]);
    await next.desk.connected('ws://a');
    finish!();
    await taking;
    await next.desk.connected('ws://a');
    expect(answers).toEqual([
      [2, 'ws://a', { sessionId: 7, success: false, message: expect.stringContaining('send it again') }],
    ]);
    expect(await redis.exists(keys.patches)).toBe(0);
  });

  it('forgets notes that are too old or not readable', async () => {
    const old = JSON.stringify({ workerUrl: 'ws://a', sessionId: 7, at: Date.now() - 61_000 });
    await redis.hset(keys.patches, { '1-1': old, '1-2': '{' });
    const { desk: next } = desk(2);
    await next.load(redis);
    await next.connected('ws://a');
    expect(answers).toEqual([]);
    expect(await redis.exists(keys.patches)).toBe(0);
  });
});
