import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { eventually } from '@detector-cluster/election/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MasterElectionOptions } from './shared/master-election-options.js';
import { ProcessRegistry, registryKeys } from './registry/process-registry.js';
import { startTestProcess, TEST_TIMING, type TestProcess } from './test-support/test-process.js';

describe('MasterElection when its server fails', () => {
  let server: RedisService;
  let lockName: string;
  let processes: TestProcess[];
  let redis: Redis;

  beforeAll(async () => {
    server = await startRedis();
  }, 60_000);
  afterAll(() => server.stop());
  beforeEach(() => {
    lockName = `cluster-${randomUUID()}`;
    processes = [];
    redis = new Redis(server.url);
    redis.on('error', () => undefined);
  });
  afterEach(async () => {
    await Promise.all(processes.map(({ app }) => app.close()));
    redis.disconnect();
  });

  const start = async (options: Partial<MasterElectionOptions> = {}) => {
    const started = await startTestProcess({ redis: server.url, lockName, ...options });
    processes.push(started);
    return started;
  };
  const master = () =>
    eventually('a valid master', 15_000, () => processes.find(({ election }) => election.lease?.isValid()));

  it('survives a restart that loses everything: a later term, and all processes registered again', async () => {
    await Promise.all([start(), start(), start()]);
    const { term } = (await master()).election;
    await server.restart();
    await eventually('a later term', 15_000, () =>
      processes.some(({ election }) => election.lease?.isValid() && election.term > term),
    );
    const { election } = await master();
    await eventually('all registered', 5_000, async () => (await election.getSlaveCount()) === 2);
    expect(processes.filter((candidate) => candidate.election.getIsMaster())).toHaveLength(1);
  }, 60_000);

  it('loses the role by the end of the lease when the server freezes', async () => {
    // Valid for almost the whole lease, so that the master does not give up before.
    const { election, events } = await start({ presenceValidity: 6_000, presenceGrace: 6_500 });
    await master();
    const lease = election.lease!;
    server.pause();
    try {
      await eventually('lost', TEST_TIMING.lockTtl + 1_000, () => lease.signal.aborted);
    } finally {
      server.resume();
    }
    expect(events).toContain('master-lost expired');
    await master();
    expect(election.term).toBeGreaterThan(lease.term);
  }, 60_000);

  it('starts while the server is unavailable, and joins when it comes back', async () => {
    await server.kill();
    const { election, events } = await start();
    expect(events.filter((event) => event.startsWith('error'))).not.toEqual([]);
    await server.start();
    await expect(election.start()).resolves.toBeUndefined();
    expect(election.getIsMaster()).toBe(true);
    await eventually('registered', 5_000, async () => (await election.getAllProcesses()).length === 1);
  }, 60_000);

  it('stops while the server is unavailable', async () => {
    const { app, events } = await start();
    await master();
    await server.kill();
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(events).toContain('master-lost stopped');
    await server.start();
  }, 60_000);

  it('removes a process that dies, but not one that reconnects', async () => {
    await Promise.all([start(), start()]);
    const registry = new ProcessRegistry(redis, lockName);
    const now = new Date().toISOString();
    await registry.put({
      processId: 'mortal',
      nodeId: 'mortal',
      identifier: 'cms',
      role: 'slave',
      lastSeen: now,
      registeredAt: now,
      capabilities: { canProcessDetections: true, maxSubscriptions: 1, preferredWorkload: 1 },
      metadata: {},
      bootId: 'boot',
      showsPresence: false,
      formatLevel: 1,
    });
    const socket = redis.duplicate();
    await socket.subscribe(`${registryKeys(lockName).presence}mortal:boot`);
    const { events, election } = await master();
    await eventually('registered', 5_000, () => events.includes('slave-registered mortal'));
    await sleep(1_000);
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub', 'SKIPME', 'yes');
    await sleep(1_000);
    expect(events).not.toContain('slave-removed mortal');
    socket.disconnect();
    const died = performance.now();
    await eventually('removed', 10_000, () => events.includes('slave-removed mortal'));
    // The removal comes 3 s after the last look that saw the process, which a paused test process may have done earlier.
    expect(performance.now() - died).toBeGreaterThan(1_900);
    await sleep(1_000);
    expect(events.filter((event) => event.startsWith('slave-removed'))).toEqual(['slave-removed mortal']);
    expect(events.filter((event) => event === 'slave-registered mortal')).toHaveLength(1);
    expect(await election.getAllProcesses()).toHaveLength(2);
    expect(await election.getSlave('mortal')).toBeNull();
  }, 30_000);

  it('registers again at once when its entry and connections are lost', async () => {
    const { election } = await start();
    await election.waitForElectionComplete();
    await redis.del(`${lockName}:processes`, `${lockName}:processes:expiry`);
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await eventually(
      'registered again',
      5_000,
      async () => (await election.getAllProcesses().catch(() => [])).length === 1,
    );
  });
});
