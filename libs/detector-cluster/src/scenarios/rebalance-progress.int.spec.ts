import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const CAMERAS = 4;

describe('a requested rebalance', () => {
  let workers: TestWorker[];
  let master: ClusterProcess;
  let other: ClusterProcess;

  beforeAll(async () => {
    workers = await Promise.all([TestWorker.start(), TestWorker.start()]);
    const urls = workers.map(({ port }) => `ws://127.0.0.1:${port}`);
    const options = { prefix: `{${randomUUID()}}:`, workers: urls };
    master = await ClusterProcess.start(options);
    other = await ClusterProcess.start(options);
    await until(async () => (await other.cluster.getState()).workers.every(({ online }) => online));
    await other.cluster.cordonWorker(urls[1]!);
    for (let n = 0; n < CAMERAS; n++)
      await other.cluster.subscribeToCamera(`d;c${n}`, 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await other.active(CAMERAS);
    await other.cluster.uncordonWorker(urls[1]!);
  });
  afterAll(async () => {
    for (const one of [other, master, ...workers]) await one?.stop();
  });

  it('shows every process how far it has come, and continues under the next master', async () => {
    expect(await other.cluster.getRebalance()).toBeNull();
    await expect(other.cluster.rebalanceWorkers({ by: 'x'.repeat(129) })).rejects.toMatchObject({
      field: 'by',
    });
    await other.cluster.rebalanceWorkers({ by: 'anna' });
    await until(async () => (await other.cluster.getRebalance())?.by === 'anna');
    const begun = await other.cluster.getRebalance();
    expect(begun).toMatchObject({ by: 'anna', endedAt: null, since: expect.any(String) });
    expect(begun!.left).toBeGreaterThan(0);
    await other.cluster.resignMaster();
    await until(async () => (await master.cluster.getRebalance())?.endedAt !== null, undefined, 90_000);
    const ended = await master.cluster.getRebalance();
    expect(ended).toMatchObject({ by: 'anna', since: begun!.since, left: 0 });
    expect(ended!.moved).toBeGreaterThan(0);
    const { subscriptions } = await master.cluster.getSubscriptions();
    expect(new Set(subscriptions.map(({ assignedWorkerUrl }) => assignedWorkerUrl)).size).toBe(2);
  });
});
