import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import type { DesiredState } from '../sources/desired-state-source.js';
import type { ModelUrlProvider } from '../sources/model-url-provider.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMEOUT = 20_000;

const subscription = (id: string, fields: object = {}) => ({
  subscriptionIdentifier: id,
  rtspUrl: `rtsp://cameras/${id.split(';')[1]}`,
  modelId: 1,
  modelName: 'cars',
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
});

const streamIds = async (worker: TestWorker) =>
  new Map((await worker.stats()).streams.map(({ cameraId, streamId }) => [cameraId, streamId]));
const accepted = async (worker: TestWorker) => (await worker.stats()).commands.accepted;

describe('workers of protocol version 2', () => {
  const running: { stop(): Promise<unknown> }[] = [];
  const versions = new Map<TestWorker, 'v1' | 'v2'>();
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  async function workerOf(protocol: 'v1' | 'v2', env: Record<string, string> = {}): Promise<TestWorker> {
    const worker = await TestWorker.start({ PROTOCOL: protocol, DETECTIONS_PER_SECOND: '0', ...env });
    running.push(worker);
    versions.set(worker, protocol);
    return worker;
  }

  async function clusterOf(
    workers: readonly TestWorker[],
    state: { rows: object[] },
    count: number,
    modelUrl?: ModelUrlProvider,
  ) {
    const options = {
      ...(modelUrl && { modelUrl }),
      prefix: `{${randomUUID()}}:`,
      workers: workers.map((worker) => `ws://127.0.0.1:${worker.port}#${versions.get(worker)}`),
      desiredState: {
        read: async () => ({ subscriptions: state.rows, skipped: [] }) as never as DesiredState,
      },
    };
    const processes: ClusterProcess[] = [];
    for (let i = 0; i < count; i++) {
      const started = await ClusterProcess.start(options);
      running.push(started);
      processes.push(started);
    }
    return processes;
  }

  it('receive lists that start, change and end streams and leave the others alone', async () => {
    const worker = await workerOf('v2');
    const state = { rows: ['d1;c1', 'd2;c2', 'd3;c3'].map((id) => subscription(id)) };
    const [master] = await clusterOf([worker], state, 1);
    await master!.active(3);
    const before = await streamIds(worker);

    state.rows = [
      subscription('d1;c1'),
      subscription('d2;c2', { cropX1: 7, cropY1: 7, cropX2: 9, cropY2: 9 }),
    ];
    state.rows.push(subscription('d4;c4'));
    await master!.cluster.regenerate();
    await eventually('the change', TIMEOUT, async () => {
      const { streams } = await worker.stats();
      const held = streams.flatMap(({ subscriptions }) =>
        subscriptions.map(({ subscriptionIdentifier, cropX1 }) => [subscriptionIdentifier, cropX1]),
      );
      return (
        JSON.stringify(held.sort()) ===
        JSON.stringify([
          ['d1;c1', undefined],
          ['d2;c2', 7],
          ['d4;c4', undefined],
        ])
      );
    });
    await master!.active(3);
    const after = await streamIds(worker);
    expect([after.get('c1'), after.get('c2')]).toEqual([before.get('c1'), before.get('c2')]);
    const { invalidFrames } = await worker.stats();
    expect(invalidFrames).toEqual({});
    expect(await accepted(worker)).toMatchObject({ subscribe: 0, unsubscribe: 0 });
  });

  it.each(['v1', 'v2'] as const)(
    'get no command from a new master, also in %s, and keep their streams when something changes',
    async (version) => {
      const worker = await workerOf(version);
      const state = { rows: ['d1;c1', 'd2;c2'].map((id) => subscription(id)) };
      const [first, second] = await clusterOf([worker], state, 2);
      await first!.active(2);
      const listsSent = async () => {
        const { setSubscriptionList, subscribe, unsubscribe } = await accepted(worker);
        return { setSubscriptionList, subscribe, unsubscribe };
      };
      const sentBefore = await listsSent();
      const before = await streamIds(worker);

      await first!.stop();
      await second!.election.waitForElectionComplete();
      const isUp = async () => (await second!.cluster.getFreshness()).stale === false;
      await eventually('the new master', TIMEOUT, isUp);
      await second!.cluster.regenerate();
      await second!.active(2);
      expect(await listsSent()).toEqual(sentBefore);

      state.rows = [...state.rows, subscription('d3;c3')];
      await second!.cluster.regenerate();
      await second!.active(3);
      const after = await streamIds(worker);
      expect([...after.keys()].sort()).toEqual(['c1', 'c2', 'c3']);
      expect([after.get('c1'), after.get('c2')]).toEqual([before.get('c1'), before.get('c2')]);
    },
  );

  it('get lists from a new master that cannot make the URL of a model that runs there', async () => {
    const worker = await workerOf('v2');
    const state = { rows: [subscription('d1;c1'), subscription('d2;c2', { modelId: 2 })] };
    let isHanging = false;
    const modelUrl: ModelUrlProvider = {
      urlFor: ({ modelId }) =>
        isHanging && modelId === 2 ? new Promise(() => undefined) : Promise.resolve(`http://m/${modelId}`),
    };
    const [first, second] = await clusterOf([worker], state, 2, modelUrl);
    await first!.active(2);
    const before = await streamIds(worker);
    isHanging = true;
    await first!.stop();
    state.rows = [...state.rows, subscription('d3;c3')];
    await second!.active(3);
    expect((await streamIds(worker)).get('c2')).toBe(before.get('c2'));
  });

  it('take over from workers of version 1 and give back to them', async () => {
    const workers = [await workerOf('v2'), await workerOf('v1')];
    const state = { rows: ['d1;c1', 'd2;c2', 'd3;c3', 'd4;c4'].map((id) => subscription(id)) };
    const [master] = await clusterOf(workers, state, 1);
    await master!.active(4);
    const urls = workers.map(({ port }) => `ws://127.0.0.1:${port}`);
    for (const [from, to] of [[0, 1] as const, [1, 0] as const]) {
      await master!.cluster.drainWorker(urls[from]!);
      await eventually(
        `worker ${from} to be empty`,
        TIMEOUT,
        async () => (await streamIds(workers[from]!)).size === 0,
      );
      await master!.active(4);
      expect((await streamIds(workers[to]!)).size).toBe(4);
      await master!.cluster.uncordonWorker(urls[from]!);
    }
    for (const worker of workers) expect((await worker.stats()).invalidFrames).toEqual({});
  });
});
