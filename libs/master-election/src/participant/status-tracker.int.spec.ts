import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createTestProcess,
  startTestProcess,
  TEST_TIMING,
  type TestProcess,
} from '../test-support/test-process.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe('status of an election', () => {
  let server: RedisService;
  let processes: TestProcess[];
  beforeEach(async () => {
    server = await startRedis();
    processes = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map(({ app }) => app.close()));
    await server.stop();
  });
  const start = async (lockName = `status-${randomUUID()}`) => {
    const started = await startTestProcess({ redis: server.url, lockName });
    processes.push(started);
    return started;
  };

  it('has the leader and the age of the lease', async () => {
    const lockName = `status-${randomUUID()}`;
    const master = await start(lockName);
    await master.election.waitForElectionComplete();
    const slave = await start(lockName);
    await slave.election.waitForElectionComplete();
    const { term } = master.election;
    const known = { name: 'default', term, leaderlessFor: null, hasKnownLeader: true, storeFailingFor: null };
    expect(master.election.getStatus()).toEqual({
      ...known,
      role: 'master',
      mayAct: true,
      leaderId: master.election.getNodeId(),
      leaseAge: expect.any(Number),
      lockTtl: TEST_TIMING.lockTtl,
    });
    expect(slave.election.getStatus()).toMatchObject({
      ...known,
      role: 'slave',
      mayAct: false,
      leaderId: master.election.getNodeId(),
      leaseAge: null,
    });
    const latencies: number[] = [];
    master.election.on('lease-renewed', (renewal) => {
      expect(renewal.term).toBe(term);
      latencies.push(renewal.latency);
    });
    await eventually('three renewals', 10_000, () => latencies.length >= 3);
    for (const latency of latencies) expect(latency).toBeGreaterThan(0);
  });

  it('has the time since the store began to fail and since there was a leader', async () => {
    const created = await createTestProcess({ redis: server.url, lockName: `status-${randomUUID()}` });
    processes.push(created);
    const { app, election } = created;
    expect(election.getStatus()).toMatchObject({ hasKnownLeader: false, leaderId: null });
    await app.init();
    await election.waitForElectionComplete();
    server.pause();
    try {
      const away = await eventually('no process leads', 20_000, () => {
        const status = election.getStatus();
        return status.leaderlessFor !== null && status.storeFailingFor !== null && status;
      });
      expect(away).toMatchObject({
        role: 'slave',
        mayAct: false,
        leaderId: null,
        leaseAge: null,
        hasKnownLeader: true,
      });
      await sleep(50);
      const later = election.getStatus();
      expect(later.leaderlessFor).toBeGreaterThanOrEqual(away.leaderlessFor! + 45);
      expect(later.storeFailingFor).toBeGreaterThanOrEqual(away.storeFailingFor! + 45);
    } finally {
      server.resume();
    }
  });
});
