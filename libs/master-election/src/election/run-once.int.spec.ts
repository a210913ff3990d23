import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '@detector-cluster/dev-services';
import type { Lease } from '@detector-cluster/election';
import { Redis } from 'ioredis';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ElectionStoppedError } from '../shared/errors.js';
import { eventually } from '@detector-cluster/election/testing';
import { startTestProcess, type TestProcess } from '../test-support/test-process.js';
import { OnceTimeoutError } from './once-call.js';

const TIMEOUT = 20_000;
/** A claim outlasts a standstill of the process of three seconds. */
const leaseTtl = 5_000;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** What another process writes into the record when it has done the work. */
const DONE = { done: 1, owner: 'done', leader: '', until: 9e15, ttl: 0 };

const uptimeOf = async (redis: Redis) =>
  Number(/uptime_in_seconds:(\d+)/.exec(await redis.info('server'))![1]);

/** Work that runs until a test ends it. */
class OpenWork {
  lease: Lease | undefined;
  private end: (() => void) | undefined;
  private readonly ended = new Promise<void>((resolve) => (this.end = resolve));

  readonly run = (lease: Lease): Promise<void> => {
    this.lease = lease;
    return this.ended;
  };

  finish(): void {
    this.end!();
  }
}

const begun = (work: OpenWork) => eventually('the work has begun', TIMEOUT, () => work.lease);

describe('runOnce', () => {
  let redis: Redis;
  let lockName: string;
  let record: string;
  let processes: TestProcess[];

  beforeAll(async () => {
    const server = new Redis(process.env.REDIS_URL!);
    await eventually('a server that grants claims', TIMEOUT, async () => (await uptimeOf(server)) > 6);
    server.disconnect();
  });
  beforeEach(() => {
    redis = new Redis(process.env.REDIS_URL!);
    lockName = `{once-${randomUUID()}}`;
    record = `${lockName}:once:work`;
    processes = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map(({ app }) => app.close()));
    const keys = await redis.keys(`${lockName}:*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });

  const start = async (url = process.env.REDIS_URL!) => {
    const started = await startTestProcess({ redis: url, lockName });
    processes.push(started);
    return started;
  };

  it('uses four connections, even while work runs', async () => {
    const { hostname, port } = new URL(process.env.REDIS_URL!);
    const connectionName = randomUUID();
    const redisOptions = { host: hostname, port: Number(port), connectionName };
    const started = await startTestProcess({ redis: redisOptions, lockName });
    processes.push(started);
    const work = new OpenWork();
    const done = started.election.runOnce('work', work.run);
    await begun(work);
    const clients = (await redis.client('LIST')) as string;
    const names = [...clients.matchAll(/ name=(\S+)\/(\S+)/g)]
      .filter(([, process]) => process === connectionName)
      .map(([, , purpose]) => purpose!.replace(/(?<=:presence):.*/, ''));
    expect(names.sort()).toEqual([
      'election:commands',
      'election:news',
      'election:presence',
      'master-election:commands',
    ]);
    work.finish();
    await done;
  });

  it('runs the work in one of five processes, and resolves for the others and later callers', async () => {
    await Promise.all([start(), start(), start(), start(), start()]);
    let runs = 0;
    const work = async () => {
      runs++;
      await sleep(50);
    };
    const results = await Promise.all(
      processes.map(({ election }) => election.runOnce('work', work, { leaseTtl })),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await (await start()).election.runOnce('work', work, { leaseTtl })).toBe(false);
    expect(runs).toBe(1);
    expect(await redis.hget(record, 'owner')).toBe('done');
    expect(await processes[0]!.election.runOnce('other work', work, { leaseTtl })).toBe(true);
    expect(runs).toBe(2);
  });

  it('never overlaps, and retries with another caller when the work rejects', async () => {
    await Promise.all([start(), start()]);
    let active = 0;
    let most = 0;
    let runs = 0;
    const work = async () => {
      most = Math.max(most, ++active);
      await sleep(20);
      active--;
      if (++runs < 4) throw new Error(`attempt ${runs}`);
    };
    const calls = Array.from({ length: 6 }, (_, i) =>
      processes[i % 2]!.election.runOnce('work', work, { leaseTtl }),
    );
    const results = await Promise.allSettled(calls);
    expect([runs, most]).toEqual([4, 1]);
    const reasons = results.map((result) =>
      result.status === 'rejected' ? (result.reason as Error).message : result.value,
    );
    expect(reasons.map(String).sort()).toEqual([
      'attempt 1',
      'attempt 2',
      'attempt 3',
      'false',
      'false',
      'true',
    ]);
  });

  it('keeps the claim while the work runs', async () => {
    const [a, b] = await Promise.all([start(), start()]);
    const work = new OpenWork();
    const first = a.election.runOnce('work', work.run, { leaseTtl });
    const { term } = await begun(work);
    const second = b.election.runOnce('work', () => Promise.reject(new Error('never')), { leaseTtl });
    await sleep(2 * leaseTtl);
    expect(work.lease!.isValid()).toBe(true);
    work.finish();
    expect(await Promise.all([first, second])).toEqual([true, false]);
    expect(Number(await redis.hget(record, 'term'))).toBe(term);
  });

  it('waits no longer than the timeout', async () => {
    const [a, b] = await Promise.all([start(), start()]);
    const work = new OpenWork();
    const timeout = 3_000;
    const first = a.election.runOnce('work', work.run, { timeout, leaseTtl });
    await begun(work);
    // The timeout of the first caller passes, too, while the work runs.
    const failure = await b.election
      .runOnce('work', work.run, { timeout, leaseTtl })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OnceTimeoutError);
    expect(failure).toMatchObject({ key: 'work', timeoutMs: timeout, code: 'ONCE_TIMEOUT' });
    work.finish();
    expect(await first).toBe(true);
  });

  it('aborts the work when its claim is lost, does not count it as done, and waits for the new owner', async () => {
    const { election } = await start();
    const work = new OpenWork();
    const call = election.runOnce('work', work.run, { leaseTtl });
    const { term, signal } = await begun(work);
    await redis.hset(record, 'owner', 'another', 'term', term + 1, 'until', Date.now() + 60_000);
    await eventually('aborted', TIMEOUT, () => signal.aborted);
    expect(work.lease!.isValid()).toBe(false);
    work.finish();
    await sleep(300);
    expect(await redis.hget(record, 'done')).toBeNull();
    await redis.hset(record, DONE);
    expect(await call).toBe(false);
  });

  it('does the work again when the claim was lost and no other process has done it', async () => {
    const { election } = await start();
    const terms: number[] = [];
    const done = await election.runOnce(
      'work',
      async ({ term, signal }) => {
        terms.push(term);
        if (terms.length > 1) return;
        await redis.hdel(record, 'owner', 'until');
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
      { leaseTtl },
    );
    expect(done).toBe(true);
    expect(terms).toHaveLength(2);
    expect(terms[1]).toBeGreaterThan(terms[0]!);
  });

  it('lets another process do the work when the first one continues after its claim has expired', async () => {
    const server = await startRedis();
    try {
      const [a, b] = await Promise.all([start(server.url), start(server.url)]);
      const work = new OpenWork();
      const first = a.election.runOnce('work', work.run, { leaseTtl: 1_000 });
      const { signal } = await begun(work);
      const second = b.election.runOnce('work', () => undefined, { leaseTtl });
      server.pause();
      await eventually('aborted', TIMEOUT, () => signal.aborted);
      server.resume();
      expect(await second).toBe(true);
      work.finish();
      expect(await first).toBe(false);
    } finally {
      await Promise.all(processes.splice(0).map(({ app }) => app.close()));
      await server.stop();
    }
  });

  it('does not record the completion of a claim that another process took over', async () => {
    const { election } = await start();
    const takenOver = ({ term }: Lease) =>
      redis.hset(record, 'owner', 'another', 'term', term + 1, 'until', Date.now() + 60_000);
    const call = election.runOnce('work', takenOver, { leaseTtl });
    await eventually('taken over', TIMEOUT, async () => (await redis.hget(record, 'owner')) === 'another');
    await sleep(300);
    expect(await redis.hget(record, 'done')).toBeNull();
    await redis.hset(record, DONE);
    expect(await call).toBe(false);
  });

  it('releases the work when its process is stopped, after the work has ended', async () => {
    const [a, b] = await Promise.all([start(), start()]);
    const work = new OpenWork();
    const first = a.election.runOnce('work', work.run, { leaseTtl }).catch((error: unknown) => error);
    const { signal } = await begun(work);
    let runs = 0;
    const second = b.election.runOnce('work', () => void runs++, { leaseTtl });
    const closing = a.app.close();
    await eventually('aborted', TIMEOUT, () => signal.aborted);
    await sleep(300);
    expect(runs).toBe(0);
    work.finish();
    expect(await second).toBe(true);
    await closing;
    expect(await first).toBeInstanceOf(ElectionStoppedError);
    await expect(a.election.runOnce('work', work.run, { leaseTtl })).rejects.toThrow(ElectionStoppedError);
  });

  it('does not keep its process from stopping when the work never ends', async () => {
    const { app, election } = await start();
    const work = new OpenWork();
    const call = election.runOnce('work', work.run, { leaseTtl }).catch((error: unknown) => error);
    await begun(work);
    await app.close();
    expect(await call).toBeInstanceOf(ElectionStoppedError);
    expect(await redis.hget(record, 'owner')).toBe('');
  });

  it('stops waiting when the process is stopped', async () => {
    const [a, b] = await Promise.all([start(), start()]);
    const work = new OpenWork();
    const first = a.election.runOnce('work', work.run, { leaseTtl });
    await begun(work);
    const second = b.election.runOnce('work', work.run, { leaseTtl }).catch((error: unknown) => error);
    await b.app.close();
    expect(await second).toBeInstanceOf(ElectionStoppedError);
    work.finish();
    expect(await first).toBe(true);
  });

  it('grants nothing after a restart of the server until no earlier claim can be valid', async () => {
    const server = await startRedis();
    const own = new Redis(server.url);
    own.on('error', () => undefined);
    try {
      const { election, events } = await start(server.url);
      await server.restart();
      let uptime = 0;
      const done = await election.runOnce(
        'work',
        async () => {
          uptime = await uptimeOf(own);
        },
        { leaseTtl: 3_000 },
      );
      expect(done).toBe(true);
      expect(uptime).toBeGreaterThanOrEqual(4);
      expect(events).toContain('error StoreRestartedError');
      await processes.pop()!.app.close();
    } finally {
      own.disconnect();
      await server.stop();
    }
  }, 60_000);

  it.each([
    ['', {}, TypeError],
    ['a;b', {}, TypeError],
    ['work', { timeout: 0 }, RangeError],
    ['work', { timeout: Infinity }, RangeError],
    ['work', { leaseTtl: 999 }, RangeError],
    ['work', { leaseTtl: 1_000.5 }, RangeError],
  ])('refuses the key %p with %p', async (key, options, error) => {
    const { election } = await start();
    await expect(election.runOnce(key, () => undefined, options)).rejects.toThrow(error);
  });
});
