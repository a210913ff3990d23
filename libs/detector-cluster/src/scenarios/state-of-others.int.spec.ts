import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { HealthIndicatorService } from '@nestjs/terminus';
import { Test, type TestingModule } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { NoMasterError } from '../shared/master-errors.js';
import { DetectorClusterHealthIndicator } from '../nest/detector-cluster.health-indicator.js';
import { DetectorClusterHealthModule } from '../nest/detector-cluster-health.module.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const redisUrl = process.env.REDIS_URL!;

let prefix: string;
const closing: (() => unknown)[] = [];

beforeEach(() => {
  prefix = `{${randomUUID()}}:`;
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(options: Partial<Parameters<typeof ClusterProcess.start>[0]> = {}) {
  const process = await ClusterProcess.start({ prefix, workers: [], ...options });
  closing.push(() => process.stop());
  return process;
}

/** An application that is master, but only takes part in the election. */
async function lead(redis = redisUrl): Promise<MasterElection> {
  const app: TestingModule = await Test.createTestingModule({
    imports: [MasterElectionModule.forRoot({ redis, timing: 'fast', lockName: `${prefix}election` })],
  })
    .setLogger({ log: () => {}, warn: () => {}, error: () => {} })
    .compile();
  await app.init();
  closing.push(() => app.close());
  const election = app.get(MasterElection);
  await election.waitForElectionComplete();
  expect(election.getIsMaster()).toBe(true);
  return election;
}

describe('the state of a cluster', () => {
  it('says when the living master confirmed it', async () => {
    const master = await start();
    const follower = await start();
    for (const { cluster } of [master, follower])
      await eventually('a fresh state', 10_000, async () => !(await cluster.getState()).stale);
    const { asOf } = await follower.cluster.getState();
    expect(Math.abs(Date.now() - Date.parse(asOf!))).toBeLessThan(10_000);
  });

  it('is stale when a master confirmed it last a minute ago', async () => {
    const redis = new Redis(redisUrl);
    closing.push(() => redis.disconnect());
    const other = await lead();
    const follower = await start();
    const keys = clusterKeys(prefix);
    // The state that a master left which was killed a minute ago.
    await redis.set(keys.master, '{"processId":"gone","term":1}', 'PX', 24 * 3_600_000 - 60_000);
    const { asOf, stale } = await follower.cluster.getState();
    expect(stale).toBe(true);
    expect(Math.abs(Date.now() - 60_000 - Date.parse(asOf!))).toBeLessThan(5_000);
    expect(other.lease?.isValid()).toBe(true);
  });

  it('is not confirmed by a master without the module: the others warn, and are unhealthy', async () => {
    const election = await lead();
    const warnings: string[] = [];
    const logger = { log: () => {}, error: () => {}, warn: (text: string) => void warnings.push(text) };
    const follower = await start({ logger, imports: [DetectorClusterHealthModule] });
    expect(follower.election.getIsMaster()).toBe(false);
    expect(await follower.cluster.getState()).toMatchObject({ asOf: null, stale: true, isMaster: false });
    const indicator = follower.app.get(DetectorClusterHealthIndicator);
    expect(follower.app.get(HealthIndicatorService)).toBeDefined();
    await eventually('health that is down', 20_000, async () => {
      const { cluster } = await indicator.isHealthy('cluster');
      return cluster.status === 'down' && cluster.reason?.startsWith('no master has written');
    });
    const warning = () => warnings.filter((text) => text.includes('does not write the state'));
    await eventually('a warning', 20_000, () => warning().length > 0);
    expect(warning()).toHaveLength(1);
    expect(warning()[0]).toContain(`process ${election.getNodeId()}`);
    expect(warning()[0]).toContain(`"${prefix}election"`);
  });
});

describe('clusters in two databases of one Redis, with the same names', () => {
  it('do not receive messages of each other', async () => {
    const worker = await PlainWorker.start();
    closing.push(() => worker.stop());
    const first = await start({ workers: [worker.url] });
    await first.cluster.subscribeToCamera('d1;c1', 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await first.active(1);
    const redis = `${redisUrl}/5`;
    const elsewhere = await lead(redis);
    expect(first.election.getIsMaster()).toBe(true);
    // Its master answers nothing, so that every answer would come from the other database.
    const follower = await start({ redis });
    expect(follower.election.term).toBe(elsewhere.term);
    await expect(follower.cluster.plan({ dryRun: true })).rejects.toThrow(NoMasterError);
  });
});
