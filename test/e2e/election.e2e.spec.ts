import { startRedis } from '@detector-cluster/dev-services';
import { DetectionTally, get, waitFor, type ClusterStateAnswer } from '@detector-cluster/local-cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { allActive, masterOf, TIMEOUT, useClusters } from './support/cluster.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

describe('election', () => {
  const startCluster = useClusters();

  it('elects one master among five processes that start at the same time', async () => {
    const cluster = await startCluster({ backends: 5, workers: 1 });
    const master = await masterOf(cluster);
    for (let look = 0; look < 20; look++) {
      const states = await Promise.all(
        cluster.backends.map(({ url }) => get<ClusterStateAnswer>(url, '/api/cluster/state', TIMEOUT)),
      );
      const masters = states.filter(({ isMaster }) => isMaster);
      expect(masters.map(({ processId }) => processId.split(':')[0])).toEqual([master.name]);
      await sleep(100);
    }
    const state = await waitFor('four followers', TIMEOUT, async () => {
      const answer = await get<ClusterStateAnswer>(master.url, '/api/cluster/state');
      return answer.totalFollowers === 4 ? answer : null;
    });
    expect(state.totalWorkers).toBe(1);
  });

  it('survives a restart of Redis that loses all data', async () => {
    const redis = await startRedis();
    try {
      const cluster = await startCluster({ redisUrl: redis.url, workerEnv: { DETECTIONS_PER_SECOND: '10' } });
      const subscriptions = await allActive(cluster);
      const tally = new DetectionTally();
      await waitFor('detections', TIMEOUT, async () => {
        await tally.poll(cluster.backends);
        return tally.total > 10 ? true : null;
      });

      await redis.restart({ downFor: 1_000 });

      await masterOf(cluster);
      await allActive(cluster, subscriptions);
      await tally.poll(cluster.backends);
      const before = tally.total;
      await waitFor('detections after the restart', TIMEOUT, async () => {
        await tally.poll(cluster.backends);
        return tally.total > before + 10 ? true : null;
      });
      // Each process registers again by itself.
      const state = await waitFor('two followers', TIMEOUT, async () => {
        const answer = await cluster.state();
        return answer.totalFollowers === 2 ? answer : null;
      });
      expect(state.totalWorkers).toBe(2);
    } finally {
      await redis.stop();
    }
  });
});
