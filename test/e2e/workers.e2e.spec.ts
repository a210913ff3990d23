import { waitFor, type LocalCluster } from '@detector-cluster/local-cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { allActive, TIMEOUT, useClusters } from './support/cluster.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

function placed(cluster: LocalCluster): Promise<Map<string, string>> {
  return waitFor('the subscriptions', TIMEOUT, async () => {
    const { subscriptions } = await cluster.subscriptions();
    return new Map(subscriptions.map((s) => [s.subscriptionIdentifier, s.assignedWorkerUrl]));
  });
}

describe('workers', () => {
  const startCluster = useClusters();

  it('SIGKILL of a worker: its cameras appear on the others, and only those move', async () => {
    const cluster = await startCluster({ backends: 2, workers: 3 });
    const count = await allActive(cluster);
    const before = await placed(cluster);
    const victim = cluster.workers.find((worker) =>
      [...before.values()].includes(cluster.workerUrl(worker)),
    )!;
    const dead = cluster.workerUrl(victim);

    await victim.crash();
    await waitFor('everything to run elsewhere', TIMEOUT, async () =>
      [...(await placed(cluster)).values()].includes(dead) ? null : true,
    );
    await allActive(cluster, count);

    const after = await placed(cluster);
    for (const [id, url] of before) {
      if (url === dead) expect(after.get(id)).not.toBe(dead);
      else expect(after.get(id)).toBe(url);
    }
    await waitFor('the dead worker to be called Offline', TIMEOUT, async () => {
      const { workers } = await cluster.state();
      return workers.find(({ url }) => url === dead)?.state === 'Offline' ? true : null;
    });
  });

  it('a worker that refuses a camera: it runs on another', async () => {
    const cluster = await startCluster({ backends: 1, workers: 1, workerEnv: { FAULT_REFUSE: 'cam-001' } });
    const stubborn = cluster.workers[0]!;
    const willing = await cluster.addWorker({ FAULT_REFUSE: '' });
    await cluster.backends[0]!.stop();
    cluster.backends.length = 0;
    await cluster.addBackend();
    await allActive(cluster);
    const places = await placed(cluster);
    for (const [id, url] of places) if (id.endsWith(';cam-001')) expect(url).toBe(cluster.workerUrl(willing));
    expect(places.size).toBeGreaterThan(0);
    expect([...places.values()]).toContain(cluster.workerUrl(stubborn));
  });

  it('a camera that is offline is reported, and not moved', async () => {
    const cluster = await startCluster({ backends: 1, workers: 2, workerEnv: { FAULT_OFFLINE: 'cam-002' } });
    const offline = await waitFor('the fault to be seen, and all else to run', TIMEOUT, async () => {
      const { subscriptions } = await cluster.subscriptions();
      const [found, ...others] = subscriptions.filter(({ status }) => status !== 'active');
      return found?.reason === 'camera-offline' && others.length === 0 ? found : null;
    });
    expect(offline.subscriptionIdentifier).toMatch(/;cam-002$/);
    expect(offline.status).toBe('recovering');
    const commands = await cluster.commandsTaken();
    await sleep(5_000);
    expect(await cluster.commandsTaken()).toBe(commands);
  });
});
