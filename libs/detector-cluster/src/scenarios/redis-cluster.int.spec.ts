import { startRedisCluster, type RedisClusterService } from '@detector-cluster/dev-services';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMEOUT = 20_000;

describe('the whole cluster on a Redis Cluster', () => {
  let redisCluster: RedisClusterService;
  beforeAll(async () => {
    redisCluster = await startRedisCluster();
  }, 60_000);
  afterAll(() => redisCluster.stop());

  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  it('delivers, moves and fails over, also after the slot of its keys has moved', async () => {
    const prefix = '{detector}:';
    const redis = { cluster: { nodes: redisCluster.nodes.map(({ host, port }) => ({ host, port })) } };
    const workers = [
      await TestWorker.start({ DETECTIONS_PER_SECOND: '20' }),
      await TestWorker.start({ DETECTIONS_PER_SECOND: '20' }),
    ];
    running.push(...workers);
    const urls = workers.map(({ port }) => `ws://127.0.0.1:${port}`);
    const start = async () => {
      const process = await ClusterProcess.start({ prefix, redis, workers: urls });
      running.push(process);
      return process;
    };
    const [master, other] = [await start(), await start()];
    const ids = ['d1;c1', 'd2;c2', 'd3;c3', 'd4;c4'];
    const seen = new Map<string, number>();
    for (const id of ids)
      await other.cluster.subscribeToCamera(id, 'rtsp://x', 'http://m/x', 1, 'cars', () => {
        seen.set(id, (seen.get(id) ?? 0) + 1);
      });
    const allSeen = () =>
      eventually('detections of all', TIMEOUT, () => ids.every((id) => (seen.get(id) ?? 0) > 5));
    await master.active(4);
    await allSeen();

    const owner = await redisCluster.ownerOf(prefix);
    await redisCluster.moveSlotOf(
      prefix,
      redisCluster.nodes.find((node) => node !== owner)!,
    );
    seen.clear();
    await allSeen();

    await other.cluster.drainWorker(urls[0]!);
    await eventually(
      'the drained worker to be empty',
      TIMEOUT,
      async () => (await workers[0]!.stats()).streams.length === 0,
    );
    await master.stop();
    running.splice(running.indexOf(master), 1);
    seen.clear();
    await allSeen();
    expect(other.election.getIsMaster()).toBe(true);
    expect((await other.cluster.plan({ dryRun: true })).unplaced).toEqual([]);
  });
});
