import { closeRedis } from '@detector-cluster/election/redis';
import { FakeMasterElection } from '@detector-cluster/master-election/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually, until } from '../../../../test/support/until.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { FencedStore } from '@detector-cluster/election/fence';
import { clusterKeys } from '../shared/cluster-keys.js';
import { PatchRequestHandler } from './patch-request-handler.js';
import { SessionPatches } from './session-patches.js';

const redis = openPatientRedis(process.env.REDIS_URL!);
afterAll(() => closeRedis(redis));

const message = { type: 'patchSession', sessionId: 7, data: 1 } as const;

const ofSuccessor = (term: number) => [
  [term, 'ws://a', { sessionId: 7, success: false, message: expect.stringContaining('send it again') }],
];

describe('PatchRequestHandler', () => {
  let keys: ReturnType<typeof clusterKeys>;
  let answers: unknown[];
  let desks: PatchRequestHandler[];
  beforeEach(() => {
    keys = clusterKeys(`{test-${randomUUID()}}:`);
    answers = [];
    desks = [];
  });
  afterEach(async () => {
    for (const one of desks) {
      one.stop();
      await one.noted();
    }
  });

  /** The handler of one master; `open` contains the workers that are connected to it. */
  function handler(term: number, handler?: () => Promise<void>) {
    const store = new FencedStore(redis, keys.fence, term);
    const patches = new SessionPatches({ onFailure: () => undefined });
    if (handler) patches.handleWith(handler);
    const open = new Set<string>();
    const reply = (worker: string, { payload }: { payload: object }) => {
      if (open.has(worker)) answers.push([term, worker, { ...payload }]);
      return open.has(worker);
    };
    const isOpen = (worker: string) => open.has(worker);
    const timer = new FakeMasterElection().timer('patches');
    timer.list();
    const made = new PatchRequestHandler({ redis, store, keys, patches, timer, isOpen, reply });
    desks.push(made);
    return { store, open, handler: made };
  }

  it('answers, and leaves no note in Redis', async () => {
    const { handler: only, open } = handler(1, async () => undefined);
    open.add('ws://a');
    await only.take('ws://a', message);
    expect(answers).toEqual([[1, 'ws://a', { sessionId: 7, success: true }]]);
    expect(await redis.exists(keys.patches)).toBe(0);
  });

  it('leaves a patch to the successor that it could not answer in time, and the successor answers once', async () => {
    let finish: (() => void) | undefined;
    const stored = new Promise<void>((resolve) => (finish = resolve));
    const old = handler(1, () => stored);
    old.open.add('ws://a');
    const taking = old.handler.take('ws://a', message);
    await until(async () => (await redis.hlen(keys.patches)) > 0);
    const next = handler(2);
    await next.store.raise();
    next.open.add('ws://b');
    await next.handler.connected();
    expect(answers).toEqual([]);
    next.open.add('ws://a');
    await next.handler.connected();
    finish!();
    await taking;
    await next.handler.connected();
    expect(answers).toEqual(ofSuccessor(2));
    expect(await redis.exists(keys.patches)).toBe(0);
  });

  it('leaves a patch to the successor that it reads after the fence has shut it out, however long its handler takes', async () => {
    const old = handler(1, () => new Promise(() => undefined));
    const next = handler(2);
    await next.store.raise();
    next.open.add('ws://a');
    await next.handler.connected();
    void old.handler.take('ws://a', message);
    await old.handler.noted();
    expect(await redis.hlen(keys.patches)).toBe(1);
    next.handler.start();
    await eventually('an answer', 10_000, () => answers.length > 0);
    next.handler.stop();
    expect(answers).toEqual(ofSuccessor(2));
    expect(await redis.exists(keys.patches)).toBe(0);
  });

  it('answers a worker that was unavailable when the answer was ready', async () => {
    const { handler: only, open } = handler(1, async () => undefined);
    await only.take('ws://a', message);
    expect(answers).toEqual([]);
    open.add('ws://a');
    await only.connected();
    await only.connected();
    expect(answers).toEqual(ofSuccessor(1));
    expect(await redis.exists(keys.patches)).toBe(0);
  });

  it.each(['HSET', 'HDEL'])(
    'answers when Redis does not confirm %s, and then no master answers again',
    async (lost) => {
      const { handler: only, open, store } = handler(1, async () => undefined);
      open.add('ws://a');
      const write = store.write.bind(store);
      vi.spyOn(store, 'write').mockImplementation(async ([command]) => {
        // The note exists in both cases.
        if (command![0] === 'HSET') await write([command!]);
        if (command![0] === lost) throw new Error('Connection is closed.');
        return [1];
      });
      await only.take('ws://a', message);
      vi.restoreAllMocks();
      expect(answers).toEqual([[1, 'ws://a', { sessionId: 7, success: true }]]);
      expect(await redis.hlen(keys.patches)).toBe(1);
      await only.connected();
      expect(await redis.exists(keys.patches)).toBe(0);
      expect(answers).toHaveLength(1);
    },
  );

  it('forgets notes that are too old or not readable', async () => {
    const old = JSON.stringify({ workerUrl: 'ws://a', sessionId: 7, at: Date.now() - 61_000 });
    await redis.hset(keys.patches, { '1-1': old, '1-2': '{' });
    const { handler: next, open } = handler(2);
    open.add('ws://a');
    await next.connected();
    expect(answers).toEqual([]);
    expect(await redis.exists(keys.patches)).toBe(0);
  });
});
