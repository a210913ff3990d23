import { clusterKeys } from '@detector-cluster/detector-cluster/store';
import {
  type AppProcess,
  DetectionTally,
  lostDetections,
  type LocalCluster,
  waitFor,
} from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { describe, expect, it, vi } from 'vitest';
import { allActive, masterOf, TIMEOUT, useClusters, useMonitors } from './support/cluster.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

/** Waits until detections have arrived that were not there before. */
async function moreDetections(cluster: LocalCluster, tally: DetectionTally, more = 20): Promise<void> {
  await tally.poll(cluster.backends);
  const target = tally.total + more;
  await waitFor(`${more} more detections`, TIMEOUT, async () => {
    await tally.poll(cluster.backends);
    return tally.total >= target ? true : null;
  });
}

describe('fail-over', () => {
  const startCluster = useClusters();
  const watch = useMonitors();

  it.each(['linger', 'drop'])(
    'SIGKILL of the master: detections continue, workers that %s',
    async (onDisconnect) => {
      const cluster = await startCluster({
        workerEnv: { ON_DISCONNECT: onDisconnect, DETECTIONS_PER_SECOND: '20' },
      });
      const monitor = await watch(cluster);
      const tally = new DetectionTally();
      const subscriptions = await allActive(cluster);
      await moreDetections(cluster, tally);
      const master = await masterOf(cluster);
      const commands = await cluster.commandsTaken();
      await tally.poll(cluster.backends);

      await master.crash();
      await masterOf(cluster, master);
      await moreDetections(cluster, tally, 100);
      await allActive(cluster, subscriptions);

      expect(await cluster.commandsTaken()).toBe(commands + (onDisconnect === 'drop' ? subscriptions : 0));
      expect(await lostDetections(cluster, monitor, tally, TIMEOUT)).toEqual([]);
      expect(tally.missed).toBe(false);
    },
  );

  it.each(['SIGKILL', 'SIGTERM', 'SIGSTOP'])(
    '%s of the master: its successor gives it no partitions',
    async (end) => {
      const backendEnv = { ELECTION_TIMING: 'fast' };
      const cluster = await startCluster({ backends: 3, workers: 1, backendEnv });
      await allActive(cluster);
      const master = await masterOf(cluster);
      const ownersBesides = (...leaders: AppProcess[]) =>
        waitFor('followers to own the partitions', TIMEOUT, async () => {
          const owners = Object.values((await cluster.state()).assignments);
          given.push(...owners);
          const led = owners.some((id) => leaders.some(({ name }) => id.startsWith(`${name}:`)));
          return owners.length > 0 && !led ? true : null;
        });
      const given: string[] = [];
      await ownersBesides(master);

      let ended: Promise<void> | undefined;
      if (end === 'SIGKILL') ended = master.crash();
      else if (end === 'SIGTERM') ended = master.shutdown();
      else master.pause();
      const successor = await masterOf(cluster, master);
      given.length = 0;
      await ownersBesides(successor);
      await ended;

      const ofMaster = (id: string) => id.startsWith(`${master.name}:`);
      expect(given.filter(ofMaster)).toEqual([]);
      if (end !== 'SIGSTOP') return;
      master.resume();
      await waitFor('a process that runs again to get its share', TIMEOUT, async () =>
        Object.values((await cluster.state()).assignments).some(ofMaster) ? true : null,
      );
    },
  );

  it('SIGTERM of the master: hands over, nothing accepted is lost', async () => {
    const cluster = await startCluster({ workerEnv: { DETECTIONS_PER_SECOND: '20' } });
    const monitor = await watch(cluster);
    const tally = new DetectionTally();
    await allActive(cluster);
    await moreDetections(cluster, tally);
    const master = await masterOf(cluster);
    const commands = await cluster.commandsTaken();

    const ended = master.shutdown();
    await masterOf(cluster, master);
    await ended;
    await moreDetections(cluster, tally, 100);

    expect(await cluster.commandsTaken()).toBe(commands);
    expect(await lostDetections(cluster, monitor, tally, TIMEOUT)).toEqual([]);
  });

  it('SIGKILL of the process that takes the detections: its backlog reaches another', async () => {
    const cluster = await startCluster({
      backends: 2,
      workers: 1,
      workerEnv: { DETECTIONS_PER_SECOND: '20' },
    });
    const tally = new DetectionTally();
    await allActive(cluster);
    await moreDetections(cluster, tally);
    const master = await masterOf(cluster);
    const owner = cluster.backends.find((backend) => backend !== master)!;
    await waitFor('the follower to own the partitions', TIMEOUT, async () => {
      const { assignments } = await cluster.state();
      return Object.values(assignments).every((id) => id.startsWith(owner.name)) ? true : null;
    });

    // Frozen first, so that there is a backlog to move when it dies.
    owner.pause();
    const redis = new Redis(cluster.redis.url);
    try {
      const { partition } = clusterKeys(cluster.keyPrefix);
      const unfinished = async () => {
        const logs = Object.keys((await cluster.state()).assignments).map((each) => partition(Number(each)));
        return (await Promise.all(logs.map((stream) => redis.xrange(stream, '-', '+')))).flat();
      };
      const entries = await waitFor('a backlog', TIMEOUT, async () => {
        const found = await unfinished();
        return found.length >= 50 ? found : null;
      });
      const backlog = entries.flatMap(([, fields]) =>
        fields[fields.indexOf('messages') + 1]!.split('\n').map(
          (message) => (JSON.parse(message) as { detectionId: string }).detectionId,
        ),
      );
      process.kill(owner.pid, 'SIGKILL');
      await owner.crash();
      await moreDetections(cluster, tally, 60);

      const missing = () => backlog.filter((id) => !tally.deliveries.has(id));
      await waitFor('the backlog delivered', TIMEOUT, async () => {
        await tally.poll(cluster.backends);
        return missing().length === 0 ? true : null;
      }).catch(() => undefined);
      expect(missing()).toEqual([]);
    } finally {
      redis.disconnect();
    }
  });
});
