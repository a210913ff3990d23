import { randomUUID } from 'node:crypto';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { Test, type TestingModule } from '@nestjs/testing';
import { MemoryElectionBackend, MemoryElectionStore } from '@detector-cluster/election/memory';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MasterElection } from '../election/master-election.js';
import { MasterElectionModule } from '../master-election.module.js';
import { silentLogger } from '../test-support/silent-logger.js';
import { TEST_TIMING } from '../test-support/test-process.js';
import { MasterElectionHealthIndicator } from './master-election.health-indicator.js';
import { MasterElectionHealthModule } from './master-election-health.module.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe('health indicator of an election', () => {
  let server: RedisService;
  let app: TestingModule;
  let indicator: MasterElectionHealthIndicator;
  beforeEach(async () => {
    server = await startRedis();
    app = await Test.createTestingModule({
      imports: [
        MasterElectionModule.forRoot({
          ...TEST_TIMING,
          redis: server.url,
          lockName: `health-${randomUUID()}`,
        }),
        MasterElectionModule.forFeature({ name: 'reports' }),
        MasterElectionHealthModule,
        TerminusModule.forRoot({ logger: false }),
      ],
    })
      .setLogger(silentLogger)
      .compile();
    indicator = app.get(MasterElectionHealthIndicator);
  });
  afterEach(async () => {
    await app.close();
    await server.stop();
  });
  const check = (options: Parameters<typeof indicator.isHealthy>[1]) =>
    app.get(HealthCheckService, { strict: false }).check([() => indicator.isHealthy('election', options)]);

  it('is down before the first election, up after it, and down after the store is unavailable for too long', async () => {
    expect(indicator.isHealthy('election')).toEqual({
      election: {
        status: 'down',
        reason: 'no process leads yet',
        role: 'slave',
        term: 0,
        leaderId: null,
        leaseAge: null,
      },
    });
    await expect(check({})).rejects.toMatchObject({ status: 503 });
    await app.init();
    const election = app.get(MasterElection);
    await election.waitForElectionComplete();
    expect(await check({})).toMatchObject({
      status: 'ok',
      details: {
        election: {
          status: 'up',
          role: 'master',
          term: election.term,
          leaderId: election.getNodeId(),
          leaseAge: expect.any(Number),
        },
      },
    });
    server.pause();
    try {
      const degraded = await eventually('degraded', 20_000, async () => {
        const result = await check({ maxStoreOutage: Infinity, maxLeaderless: Infinity });
        return result.status === 'degraded' && result;
      });
      expect(degraded.details.election).toMatchObject({ status: 'degraded', reason: expect.any(String) });
      // There has also been no leader for too long, which the indicator may report a moment earlier.
      const down = await eventually('down for the store', 20_000, () => {
        const { election: health } = indicator.isHealthy('election');
        return (
          health.status === 'down' && /^the store has failed for \d/.test(String(health.reason)) && health
        );
      });
      expect(down).toMatchObject({ leaderId: null });
    } finally {
      server.resume();
    }
    await eventually('up again', 20_000, () => indicator.isHealthy('election').election.status === 'up');
  });

  it('finds elections by name, and rejects limits that are not durations', async () => {
    await app.init();
    await eventually('up', 10_000, () => {
      return indicator.isHealthy('reports', { election: 'reports' }).reports.status === 'up';
    });
    expect(() => indicator.isHealthy('x', { election: 'unknown' })).toThrow(/MasterElection:unknown/);
    expect(() => indicator.isHealthy('x', { maxLeaderless: Number.NaN })).toThrow(
      new RangeError('maxLeaderless must be a number of milliseconds from 0 on, not NaN'),
    );
  });

  it('takes its default limits from the backend in use', async () => {
    const store = new MemoryElectionStore({ lockTtl: 700 });
    const backend = new MemoryElectionBackend({ store });
    const other = await Test.createTestingModule({
      imports: [
        MasterElectionModule.forRoot({ redis: server.url, lockName: `health-${randomUUID()}`, backend }),
        MasterElectionHealthModule,
      ],
    })
      .setLogger(silentLogger)
      .compile();
    await other.init();
    try {
      const election = other.get(MasterElection);
      expect(await election.waitForElectionComplete()).toBe(true);
      expect(election.getStatus().lockTtl).toBe(700);
      backend.disconnect();
      const health = () => other.get(MasterElectionHealthIndicator).isHealthy('election').election.status;
      // With the default `lockTtl` of 30 s it would be degraded for 30 s.
      await eventually('down', 10_000, () => health() === 'down');
    } finally {
      await other.close();
    }
  });
});
