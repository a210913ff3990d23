import { randomUUID } from 'node:crypto';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Elector } from '../../elector/elector.js';
import { STEADY_TIMING, TEST_TIMING } from '../../test-support/redis-harness.js';
import { standStill } from '../../test-support/stand-still.js';
import { eventually } from '../../testing/eventually.js';
import { watchStandstill } from '../../testing/watch-standstill.js';
import { RedisElectionBackend } from './redis-election-backend.js';
import type { RedisSource } from './connection/redis-source.js';

const leading = (elector: Elector) =>
  eventually('leads', 10_000, () => (elector.lease?.isValid() ? elector.lease : undefined));

describe('RedisElectionBackend on a dedicated server', () => {
  let server: RedisService;
  let admin: Redis;
  let lockName: string;
  let electors: Elector[];
  let backends: RedisElectionBackend[];
  let events: string[];

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.url);
    admin.on('error', () => undefined);
  }, 60_000);
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  beforeEach(() => {
    lockName = `election-${randomUUID()}`;
    [electors, backends, events] = [[], [], []];
  });
  afterEach(async () => {
    await Promise.all(electors.map((elector) => elector.stop()));
    await Promise.all(backends.map((backend) => backend.close()));
  });

  /** The events without errors, which a busy machine also causes. */
  const changes = () => events.filter((event) => /^(acquired|lost)/.test(event));

  const join = (
    redis: RedisSource = server.url,
    onWarning: (message: string) => void = () => undefined,
    times = STEADY_TIMING,
  ) => {
    const backend = new RedisElectionBackend({ redis, lockName, ...times, onWarning });
    const elector = new Elector({ backend, candidate: { id: `cms:${randomUUID()}` } });
    elector.on('acquired', ({ reason }) => events.push(`acquired ${reason}`));
    elector.on('lost', ({ reason }) => events.push(`lost ${reason}`));
    elector.on('recovered', () => events.push('recovered'));
    elector.on('error', (error) => events.push(`error ${error.name}`));
    backends.push(backend);
    electors.push(elector);
    elector.start();
    return elector;
  };

  it.each([
    ['a URL', () => server.url],
    ['options', () => ({ host: server.host, port: server.port, maxRetriesPerRequest: 5 })],
  ])('connects with %s', async (_name, source) => {
    await leading(join(source()));
  });

  it('copies the settings of an instance and leaves the instance alone', async () => {
    const instance = new Redis(server.url, { lazyConnect: true });
    await leading(join(instance));
    expect(instance.status).toBe('wait');
  });

  it('says why a term began', async () => {
    const first = join();
    await leading(first);
    const second = join();
    await eventually('follows', 5_000, () => second.leaderId === first.leaderId);
    await first.resign();
    await leading(second);
    expect(changes()).toEqual(['acquired vacant', 'lost resigned', 'acquired released']);
  });

  it('reports that the server is unavailable at the start, and leads when it starts', async () => {
    await server.kill();
    const elector = join();
    await eventually('several attempts', 10_000, () => events.length >= 3);
    expect(new Set(events)).toEqual(new Set(['error StoreUnreachableError']));
    await server.start();
    await leading(elector);
    expect(changes()).toEqual(['acquired vacant']);
    expect(events).toContain('recovered');
  }, 30_000);

  it('keeps its lease through a cut of all connections', async () => {
    const elector = join();
    const lease = await leading(elector);
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await eventually('a new connection listens', 5_000, () => backends.length > 0);
    const renewals = Number(await admin.hget(`${lockName}:lease`, 'seq'));
    let seen = renewals;
    await eventually('renewed again', 5_000, () => {
      void admin.hget(`${lockName}:lease`, 'seq').then((seq) => (seen = Number(seq)));
      return seen > renewals;
    });
    expect(elector.lease).toBe(lease);
    expect(events.filter((event) => event.startsWith('lost'))).toEqual([]);
  });

  it('steps down at the end of the lease when the server freezes, and leads again after it', async () => {
    const elector = join(server.url, undefined, TEST_TIMING);
    const lease = await leading(elector);
    server.pause();
    const began = performance.now();
    const standstill = watchStandstill();
    try {
      await eventually('invalid', TEST_TIMING.lockTtl + 500, () => !lease.isValid());
      await eventually('lost', TEST_TIMING.lockTtl + 500, () => lease.signal.aborted);
      const took = performance.now() - began;
      if (!standstill.end()) expect(took).toBeLessThan(TEST_TIMING.lockTtl + 500);
      expect(changes()).toEqual(['acquired vacant', 'lost expired']);
    } finally {
      server.resume();
    }
    expect((await leading(elector)).term).toBeGreaterThan(lease.term);
  }, 30_000);

  it('has lost its lease before it acts, when its event loop was blocked for longer', async () => {
    const elector = join();
    const lease = await leading(elector);
    const acts: boolean[] = [];
    const acting = setInterval(() => acts.push(lease.isValid()), 1);
    elector.once('lost', () => clearInterval(acting));
    await eventually('acted', 1_000, () => acts.length > 0);
    acts.length = 0;
    standStill(STEADY_TIMING.lockTtl + 50);
    expect([lease.isValid(), elector.lease]).toEqual([false, null]);
    await eventually('lost', 1_000, () => lease.signal.aborted);
    expect(acts).not.toContain(true);
    expect((await leading(elector)).term).toBeGreaterThan(lease.term);
    expect(changes()).toEqual(['acquired vacant', 'lost expired', expect.stringMatching(/acquired/)]);
  });

  it('renews although the memory of the server is full', async () => {
    const elector = join();
    const lease = await leading(elector);
    await admin.config('SET', 'maxmemory', '1');
    try {
      await expect(admin.set(`${lockName}:other`, 'x')).rejects.toThrow('OOM');
      const seq = Number(await admin.hget(`${lockName}:lease`, 'seq'));
      await sleep(STEADY_TIMING.heartbeatInterval * 3);
      expect(Number(await admin.hget(`${lockName}:lease`, 'seq'))).toBeGreaterThan(seq);
      await elector.resign();
      expect((await leading(elector)).term).toBeGreaterThan(lease.term);
    } finally {
      await admin.config('SET', 'maxmemory', '0');
    }
  }, 20_000);

  it('warns of a server that evicts keys', async () => {
    const warnings: string[] = [];
    await leading(join(server.url, (message) => warnings.push(message)));
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      join(server.url, (message) => warnings.push(message));
      await eventually('warned', 5_000, () => warnings.length > 0);
      expect(warnings).toEqual([expect.stringContaining('allkeys-lru')]);
    } finally {
      await admin.config('SET', 'maxmemory-policy', 'noeviction');
    }
  });

  it('leads with a new term when the record was deleted', async () => {
    const elector = join();
    const lease = await leading(elector);
    await admin.flushall();
    await eventually(
      'a later term',
      10_000,
      () => elector.lease?.isValid() && elector.lease.term > lease.term,
    );
    expect(changes()).toEqual(['acquired vacant', 'lost refused', 'acquired expired']);
  });

  it('takes a term above all terms that it saw in an earlier campaign, also when the store has lost its data', async () => {
    const ahead = Date.now() + 24 * 3_600_000;
    await admin.hset(`${lockName}:lease`, { owner: 'other:boot:1', term: ahead, seq: 1, mode: 'lease' });
    await admin.pexpire(`${lockName}:lease`, 60_000);
    const elector = join();
    await eventually('follows', 5_000, () => elector.leaderId === 'other');
    await elector.stop();
    await admin.flushall();
    elector.start();
    expect((await leading(elector)).term).toBe(ahead + 1);
  });

  it('steps down when another owner holds the record', async () => {
    const elector = join();
    const lease = await leading(elector);
    await admin.hset(`${lockName}:lease`, 'owner', 'intruder:boot:1', 'term', lease.term + 1);
    await eventually('lost', 5_000, () => lease.signal.aborted);
    await eventually('follows', 5_000, () => elector.leaderId === 'intruder');
    expect(elector.term).toBe(lease.term + 1);
  });

  it('rejects durations that do not fit each other, all at once', () => {
    expect(
      () =>
        new RedisElectionBackend({
          redis: server.url,
          lockTtl: 1_000,
          heartbeatInterval: 800,
          checkInterval: 2_000,
        }),
    ).toThrow(/heartbeatInterval.*checkInterval/);
  });
});
