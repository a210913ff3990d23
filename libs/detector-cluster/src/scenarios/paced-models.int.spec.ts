import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { FileServer } from '../../../../test/support/file-server.js';
import { eventually } from '../../../../test/support/until.js';
import type { DetectorCluster } from '../node/detector-cluster.js';
import { MasterRequestError } from '../shared/master-errors.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const TIMEOUT = 60_000;

type Counts = Readonly<Record<string, number>>;

/** How many subscriptions have each reason of their status, with each version; null while a master takes over. */
async function shown(cluster: DetectorCluster): Promise<Counts | null> {
  const counts: Record<string, number> = {};
  try {
    for (const { reason, subscriptionIdentifier: id } of (await cluster.getSubscriptions()).subscriptions) {
      const key = `${reason} ${(await cluster.explain(id))?.model?.version}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
  } catch (error) {
    if (error instanceof MasterRequestError) return null;
    throw error;
  }
  return counts;
}
const untilShown = (cluster: DetectorCluster, counts: Counts) =>
  eventually(JSON.stringify(counts), TIMEOUT, async () => isDeepStrictEqual(await shown(cluster), counts));

/** Reads again and again, and finds that only one of six subscriptions has the version, whatever its status is. */
async function expectOne(cluster: DetectorCluster, version: string): Promise<void> {
  for (let reads = 0; reads < 3; reads++) {
    await cluster.regenerate();
    await eventually(`one subscription with version ${version}`, TIMEOUT, async () => {
      const counts = Object.entries((await shown(cluster)) ?? {});
      const having = counts.filter(([key]) => key.endsWith(` ${version}`));
      return isDeepStrictEqual(
        [having, counts].map((each) => each.reduce((sum, [, count]) => sum + count, 0)),
        [1, 6],
      );
    });
  }
}

const untilRollout = (cluster: DetectorCluster, expected: Readonly<Record<string, unknown>>) =>
  eventually(JSON.stringify(expected), TIMEOUT, async () =>
    (await cluster.listEvents({ limit: 1_000 })).some(
      (event) => event.type === 'model-rollout' && isDeepStrictEqual({ ...event, ...expected }, { ...event }),
    ),
  );

describe('a version of a model that goes to all cameras', () => {
  const running: { stop(): unknown }[] = [];
  let store: FileServer;
  let present: string;
  let prefix: string;
  beforeEach(async () => {
    [present, prefix] = ['1', `{${randomUUID()}}:`];
    store = await FileServer.start({ '/1': 'file' });
    running.push(store);
  });
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  async function master(workers: readonly string[], cameras: number) {
    const started = await ClusterProcess.start({
      prefix,
      workers,
      modelUrl: { urlFor: async ({ version = present }) => ({ url: `${store.url}/${version}`, version }) },
      desiredState: {
        read: async () => ({
          subscriptions: Array.from({ length: cameras }, (_, n) => ({
            subscriptionIdentifier: `d${n};c${n}`,
            rtspUrl: `rtsp://cameras/${n}`,
            modelId: 1,
            modelName: 'cars',
            createdAt: '2026-01-01T00:00:00.000Z',
          })),
          skipped: [],
        }),
      },
    });
    running.push(started);
    return started;
  }
  async function realWorkers(): Promise<string[]> {
    const workers = [1, 2].map(() => TestWorker.start({ DOWNLOAD_MODELS: 'on', DETECTIONS_PER_SECOND: '0' }));
    running.push(...(await Promise.all(workers)));
    return (await Promise.all(workers)).map(({ port }) => `ws://127.0.0.1:${port}`);
  }
  it('is loaded for one camera in twenty at a time', async () => {
    const worker = await PlainWorker.start();
    running.push(worker);
    const started = await master([worker.url], 24);
    const { cluster } = started;
    await started.active(24);
    worker.isSlow = true;
    present = '2';
    await cluster.regenerate();
    await eventually('the version on all cameras', TIMEOUT, () =>
      [...worker.models.values()].every((url) => url.endsWith('/2')),
    );
    await untilRollout(cluster, { step: 'done', version: '2', cameras: 24, ready: 24, failed: 0 });
    expect(worker.mostLoading).toBeLessThanOrEqual(2);
  });

  it('keeps one camera only waiting while a worker downloads it', async () => {
    const { cluster } = await master(await realWorkers(), 6);
    await untilShown(cluster, { 'streaming 1': 6 });
    store.files.set('/2', 'new');
    store.held.add('/2');
    present = '2';
    await cluster.regenerate();
    await untilShown(cluster, { 'loading-model 2': 1, 'streaming 1': 5 });
    await expectOne(cluster, '2');
    store.release('/2');
    await untilShown(cluster, { 'streaming 2': 6 });
    await untilRollout(cluster, { step: 'done', version: '2', cameras: 6, ready: 6 });
  });

  it('stops at the first camera if no worker can load it, under each master, and is led back', async () => {
    const workers = await realWorkers();
    const first = await master(workers, 6);
    await untilShown(first.cluster, { 'streaming 1': 6 });
    present = '2';
    await first.cluster.regenerate();
    const paused = { step: 'paused', version: '2', cameras: 6, ready: 0, failed: 1 };
    await untilRollout(first.cluster, paused);
    await first.stop();
    const { cluster } = await master(workers, 6);
    await cluster.regenerate();
    await eventually('the others', TIMEOUT, async () => (await shown(cluster))?.['streaming 1'] === 5);
    await expectOne(cluster, '2');
    await cluster.setModelVersion(1, '1');
    await untilShown(cluster, { 'streaming 1': 6 });
  });
});
