import { get, request, waitFor, type AppProcess, type LocalCluster } from '@detector-cluster/local-cluster';
import type { StatsReport } from '@detector-cluster/detector-worker';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileServer } from '../support/file-server.js';
import { allActive, masterOf, TIMEOUT, useClusters } from './support/cluster.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const CAMERAS = 6;

const statsOf = (worker: AppProcess) => get<StatsReport>(worker.url, '/stats', TIMEOUT);

const streamsOf = (stats: readonly StatsReport[]) =>
  stats.flatMap(({ streams }) => streams.map(({ streamId }) => streamId)).sort();

describe('the file of a model', () => {
  const startCluster = useClusters();
  let store: FileServer;
  let cluster: LocalCluster;

  beforeEach(async () => {
    store = await FileServer.start({ '/plates-1.onnx': 'first', '/plates-2.onnx': 'second' });
    cluster = await startCluster({
      backends: 2,
      workers: 2,
      seed: false,
      backendEnv: { MODEL_BASE_URL: store.url },
      workerEnv: { DOWNLOAD_MODELS: 'on' },
    });
    await masterOf(cluster);
  });
  afterEach(() => store?.stop());

  const ask = <T>(method: string, path: string, body: object) =>
    request<T>(cluster.backends[0]!.url, method, path, body, TIMEOUT);

  async function showOnDisplays(fileKey: string): Promise<number> {
    const model = await ask<{ id: number }>('POST', '/api/models', { name: 'plates', fileKey });
    const playlist = await ask<{ id: number }>('POST', '/api/playlists', { name: 'p', modelId: model.id });
    for (let n = 0; n < CAMERAS; n++) {
      await ask('POST', '/api/cameras', { cameraIdentifier: `c${n}`, rtspUrl: `rtsp://cameras/${n}` });
      const display = { displayId: `d${n}`, cameraIdentifier: `c${n}`, playlistId: playlist.id };
      await ask('POST', '/api/displays', display);
    }
    return model.id;
  }

  /** Resolves with what the workers run when all of it is this version, and its file is there. */
  const allOn = (version: string) =>
    waitFor(
      `all subscriptions on ${version}`,
      TIMEOUT,
      async () => {
        const stats = await Promise.all(cluster.workers.map(statsOf));
        const held = stats.flatMap(({ streams }) => streams.flatMap(({ subscriptions }) => subscriptions));
        const isThere = stats.every(
          ({ models, streams }) =>
            streams.length === 0 ||
            models.some(({ modelVersion, state }) => modelVersion === version && state === 'ready'),
        );
        const runs = held.length === CAMERAS && held.every(({ modelVersion }) => modelVersion === version);
        return isThere && runs ? stats : null;
      },
      async () => JSON.stringify(await Promise.all(cluster.workers.map(statsOf)), null, 1),
    );

  function expectOneDownloadEach(stats: readonly StatsReport[]) {
    const versions = stats.flatMap(({ models }) => models.map(({ modelVersion }) => `/${modelVersion}`));
    const downloads = stats.flatMap(({ models }) => models.map((model) => model.downloads));
    expect(downloads).toEqual(versions.map(() => 1));
    const requests = [...store.requests].flatMap(([path, count]) => Array<string>(count).fill(path));
    expect(requests.sort()).toEqual(versions.sort());
  }

  it('reaches each worker once when its key changes, reopens no stream, and can be taken back', async () => {
    const model = await showOnDisplays('plates-1.onnx');
    await allActive(cluster, CAMERAS);
    const before = await allOn('plates-1.onnx');
    expectOneDownloadEach(before);

    await ask('PATCH', `/api/models/${model}`, { fileKey: 'plates-2.onnx' });
    const after = await allOn('plates-2.onnx');
    expect(streamsOf(after)).toEqual(streamsOf(before));
    await allActive(cluster, CAMERAS);

    await ask('PATCH', `/api/models/${model}`, { fileKey: 'plates-1.onnx' });
    // Each worker has kept the file of the first version.
    expectOneDownloadEach(await allOn('plates-1.onnx'));
  });

  it('sends no command after a change of master if it has not changed', async () => {
    await showOnDisplays('plates-1.onnx');
    await allActive(cluster, CAMERAS);
    await allOn('plates-1.onnx');
    const taken = async () =>
      (await Promise.all(cluster.workers.map(statsOf))).map(({ commands }) => commands.accepted.subscribe);
    const before = await taken();
    const master = await masterOf(cluster);
    process.kill(master.pid, 'SIGKILL');
    await masterOf(cluster, master);
    await allActive(cluster, CAMERAS);
    expect(await taken()).toEqual(before);
  });
});
