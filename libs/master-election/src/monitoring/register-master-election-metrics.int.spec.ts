import { randomUUID } from 'node:crypto';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Test } from '@nestjs/testing';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MasterElection } from '../election/master-election.js';
import { MasterElectionModule } from '../master-election.module.js';
import { getMasterElectionToken } from '../election/get-master-election-token.js';
import { eventually } from '@detector-cluster/election/testing';
import { silentLogger } from '../test-support/silent-logger.js';
import { TEST_TIMING } from '../test-support/test-process.js';
import { MasterElectionMetricsModule } from './master-election-metrics.module.js';
import { registerMasterElectionMetrics } from './election-metrics.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe('metrics of elections', () => {
  let server: RedisService;
  let lockName: string;
  let closing: { close(): Promise<void> }[];
  beforeEach(async () => {
    server = await startRedis();
    lockName = `metrics-${randomUUID()}`;
    closing = [];
  });
  afterEach(async () => {
    await Promise.all(closing.map((app) => app.close()));
    await server.stop();
  });

  /** One application with two elections and a registry of its own. */
  const start = async () => {
    const registry = new Registry();
    const app = await Test.createTestingModule({
      imports: [
        MasterElectionModule.forRoot({ ...TEST_TIMING, redis: server.url, lockName }),
        MasterElectionModule.forFeature({ name: 'reports' }),
        MasterElectionMetricsModule.register({ elections: ['default', 'reports'], registry }),
      ],
    })
      .setLogger(silentLogger)
      .compile();
    closing.push(app);
    await app.init();
    const main = app.get(MasterElection);
    const reports = app.get(getMasterElectionToken('reports'), { strict: false });
    await Promise.all([main.waitForElectionComplete(), reports.waitForElectionComplete()]);
    /** Value of a sample, e.g. `role{election="reports"}`; undefined when there is none. */
    const sample = async (name: string) => {
      const lines = (await registry.metrics()).split('\n');
      const line = lines.find((text) => text.startsWith(`master_election_${name} `));
      return line === undefined ? undefined : Number(line.split(' ').at(-1));
    };
    return { app, main, reports, registry, sample };
  };

  it('report role, term, members and age of the lease of each election', async () => {
    const first = await start();
    const second = await start();
    await eventually(
      'two members',
      10_000,
      async () => (await first.sample('members{election="default"}')) === 2,
    );
    for (const election of ['default', 'reports']) {
      expect(await first.sample(`role{election="${election}"}`)).toBe(1);
      expect(await first.sample(`may_act{election="${election}"}`)).toBe(1);
      expect(await first.sample(`lease_age_seconds{election="${election}"}`)).toBeLessThan(
        TEST_TIMING.lockTtl / 1_000,
      );
      // The counter exists from the start, and a busy machine may already have suspended the master.
      expect(await first.sample(`suspended_total{election="${election}"}`)).toBeGreaterThanOrEqual(0);
      expect(await second.sample(`role{election="${election}"}`)).toBe(0);
      expect(await second.sample(`leader_known{election="${election}"}`)).toBe(1);
      expect(await second.sample(`members{election="${election}"}`)).toBeUndefined();
      expect(await second.sample(`lease_age_seconds{election="${election}"}`)).toBeUndefined();
    }
    expect(await first.sample('term{election="default"}')).toBe(first.main.term);
    expect(await second.sample('term{election="reports"}')).toBe(first.reports.term);
    expect(await first.sample('transitions_total{election="default",to="master",reason="vacant"}')).toBe(1);
    await eventually(
      'renewals',
      10_000,
      async () => ((await first.sample('renewal_duration_seconds_count{election="default"}')) ?? 0) > 2,
    );
    expect(await second.sample('renewal_duration_seconds_count{election="default"}')).toBe(0);

    await first.main.resign();
    await eventually(
      'the other leads',
      10_000,
      async () => (await second.sample('role{election="default"}')) === 1,
    );
    expect(await first.sample('role{election="default"}')).toBe(0);
    expect(await first.sample('role{election="reports"}')).toBe(1);
    expect(await first.sample('transitions_total{election="default",to="slave",reason="resigned"}')).toBe(1);
    expect(await second.sample('transitions_total{election="default",to="master",reason="released"}')).toBe(
      1,
    );
  });

  it('count suspensions and errors by code, and leave the errors in the log', async () => {
    const { main, sample, registry } = await start();
    const suspended = new Promise((resolve) => main.once('master-suspended', resolve));
    server.pause();
    try {
      await suspended;
      await eventually('errors', 10_000, async () =>
        /errors_total\{.*code="[A-Z_]+"/.test(await registry.metrics()),
      );
    } finally {
      server.resume();
    }
    expect(await sample('suspended_total{election="default"}')).toBeGreaterThan(0);
    expect(main.listenerCount('error')).toBe(0);
  });

  it('end with the application, and work again on a cleared registry', async () => {
    const { app, main, registry, sample } = await start();
    closing.pop();
    await app.close();
    expect(await sample('role{election="default"}')).toBeUndefined();
    expect(main.eventNames()).toEqual([]);
    registry.clear();
    const end = registerMasterElectionMetrics(main, registry);
    expect(await sample('role{election="default"}')).toBe(0);
    end();
    expect(await sample('role{election="default"}')).toBeUndefined();
  });
});
