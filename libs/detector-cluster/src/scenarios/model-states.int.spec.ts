import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { FileServer } from '../../../../test/support/file-server.js';
import { eventually } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMEOUT = 25_000;
const ID = 'd1;c1';

describe('a model on a worker', () => {
  const running: { stop(): unknown }[] = [];
  let store: FileServer;
  beforeEach(async () => {
    store = await FileServer.start({ '/cars': 'file' });
    running.push(store);
  });
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  /** The cluster of one process and these workers, which should run one camera with the model at this path. */
  async function clusterOf(workers: number, path: string) {
    const urls: string[] = [];
    for (let n = 0; n < workers; n++) {
      const worker = await TestWorker.start({ DOWNLOAD_MODELS: 'on' });
      running.push(worker);
      urls.push(`ws://127.0.0.1:${worker.port}`);
    }
    const started = await ClusterProcess.start({
      prefix: `{${randomUUID()}}:`,
      workers: urls,
      modelUrl: { urlFor: async () => ({ url: `${store.url}${path}?signature=s3cret`, version: '1' }) },
      desiredState: {
        read: async () => ({
          subscriptions: [
            {
              subscriptionIdentifier: ID,
              rtspUrl: 'rtsp://cameras/1',
              modelId: 1,
              modelName: 'cars',
              createdAt: '2026-01-01T00:00:00.000Z',
            },
          ],
          skipped: [],
        }),
      },
    });
    running.push(started);
    const { cluster } = started;
    const shown = async () => {
      const [found] = (await cluster.getSubscriptions()).subscriptions;
      return found && [found.status, found.reason, found.detail ?? ''].join(' ');
    };
    const untilShown = (text: string) => eventually(text, TIMEOUT, async () => (await shown()) === text);
    return { cluster, untilShown };
  }

  it('is pending while its file is downloaded, and active afterwards', async () => {
    store.held.add('/cars');
    const { untilShown } = await clusterOf(1, '/cars');
    await untilShown('pending loading-model ');
    store.release('/cars');
    await untilShown('active streaming ');
    expect([...store.requests]).toEqual([['/cars', 1]]);
  });

  it('that cannot be downloaded is tried by each worker, and the status and events say why', async () => {
    const { cluster, untilShown } = await clusterOf(2, '/none');
    await untilShown('failed penalty HTTP 404');
    const failures = async () =>
      (await cluster.listEvents({ limit: 100 })).filter(({ type }) => type === 'model-failed');
    // Events are written after the status.
    await eventually('an event of each worker', TIMEOUT, async () => {
      const urls = (await failures()).map((event) => 'url' in event && event.url);
      return new Set(urls).size === 2;
    });
    for (const event of await failures())
      expect(event).toMatchObject({ cameraId: 'c1', cameras: 1, problem: 'HTTP 404' });
  });
});
