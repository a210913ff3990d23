import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import type { CanaryOptions } from '../options/canary-options.js';
import type { ModelFile, ModelReference } from '../sources/model-url-provider.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const TIMEOUT = 20_000;

const subscriptions = ['d1;c1', 'd2;c2'].map((id): DesiredCameraSubscription => ({
  subscriptionIdentifier: id,
  rtspUrl: `rtsp://cameras/${id.split(';')[1]}`,
  modelId: 1,
  modelName: 'cars',
  createdAt: '2026-01-01T00:00:00.000Z',
}));

const held = async (worker: TestWorker) => {
  const { streams } = await worker.stats();
  return streams.map(({ streamId, subscriptions: [first] }) => [streamId, first?.modelVersion] as const);
};
const versionsOf = async (worker: TestWorker) => (await held(worker)).map(([, version]) => version);
const commandsOf = async (worker: TestWorker) => {
  const { subscribe, setSubscriptionList } = (await worker.stats()).commands.accepted;
  return { subscribe, setSubscriptionList };
};
/** A store that keeps its files. */
const store =
  (present: string) =>
  async ({ version = present }: ModelReference) => ({
    url: `http://m/${version}`,
    version,
  });
const file = (version: string) => async () => ({ url: `http://m/${version}`, version });

describe('versions of models', () => {
  const running: { stop(): Promise<unknown> }[] = [];
  let answer: (model: ModelReference) => Promise<string | ModelFile>;
  let prefix: string;
  beforeEach(() => {
    prefix = `{${randomUUID()}}:`;
  });
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  async function workerOf(protocol: 'v1' | 'v2'): Promise<TestWorker> {
    const worker = await TestWorker.start({ PROTOCOL: protocol, DETECTIONS_PER_SECOND: '0' });
    running.push(worker);
    return worker;
  }

  async function master(workerUrl: string, canary?: CanaryOptions) {
    const started = await ClusterProcess.start({
      prefix,
      workers: [workerUrl],
      modelUrl: { urlFor: (model) => answer(model) },
      desiredState: { read: async () => ({ subscriptions, skipped: [] }) },
      ...(canary && { canary }),
    });
    running.push(started);
    return {
      cluster: started.cluster,
      active: () => started.active(subscriptions.length),
      stop: () => started.stop(),
    };
  }

  it.each(['v1', 'v2'] as const)('reach a worker of %s without a new stream', async (protocol) => {
    const worker = await workerOf(protocol);
    answer = file('1');
    const { active, cluster } = await master(`ws://127.0.0.1:${worker.port}#${protocol}`);
    await active();
    const before = await held(worker);
    expect(before.map(([, version]) => version)).toEqual(['1', '1']);
    answer = file('2');
    await cluster.regenerate();
    await eventually('the new version', TIMEOUT, async () => `${await versionsOf(worker)}` === '2,2');
    await active();
    expect((await held(worker)).map(([stream]) => stream)).toEqual(before.map(([stream]) => stream));
  });

  it('reach a worker that does not repeat fingerprints', async () => {
    const worker = await PlainWorker.start();
    running.push(worker);
    answer = file('1');
    const { active, cluster } = await master(worker.url);
    await active();
    answer = file('2');
    await cluster.regenerate();
    await eventually('the new version', TIMEOUT, () =>
      ['d1;c1', 'd2;c2'].every((id) => worker.models.get(id) === 'http://m/2'),
    );
  });

  it.each<['v1' | 'v2', string, () => Promise<string | ModelFile>]>([
    ['v1', 'fails', () => Promise.reject(new Error('no store'))],
    ['v2', 'fails', () => Promise.reject(new Error('no store'))],
    ['v1', 'does not answer', () => new Promise(() => undefined)],
    ['v1', 'knows no version any more', async () => 'http://m/plain'],
  ])('are kept by a new master in %s whose provider %s', async (protocol, _, next) => {
    const worker = await workerOf(protocol);
    const url = `ws://127.0.0.1:${worker.port}#${protocol}`;
    answer = file('1');
    const first = await master(url);
    await first.active();
    const before = [await held(worker), await commandsOf(worker)];
    answer = next;
    await first.stop();
    const second = await master(url);
    await second.cluster.regenerate();
    await second.active();
    expect([await held(worker), await commandsOf(worker)]).toEqual(before);
  });

  it('run on a share of the cameras first, under every master, then on all, and go back in one step', async () => {
    const worker = await workerOf('v1');
    const url = `ws://127.0.0.1:${worker.port}`;
    const versions = async () => (await versionsOf(worker)).toSorted().join();
    answer = store('1');
    const first = await master(url, { share: 10 });
    await first.active();
    answer = store('2');
    await first.cluster.regenerate();
    await eventually('the canary', TIMEOUT, async () => (await versions()) === '1,2');
    await first.active();
    const [before, began] = [await held(worker), await first.cluster.getModels()];
    expect(began).toMatchObject([{ modelId: 1, current: '1', candidate: '2', share: 10 }]);

    await first.stop();
    const { active, cluster } = await master(url, { share: 10 });
    await cluster.regenerate();
    await active();
    expect(await held(worker)).toEqual(before);
    expect((await cluster.plan({ dryRun: true })).canaries).toMatchObject([{ candidate: '2' }]);
    const explained = await Promise.all(
      subscriptions.map((one) => cluster.explain(one.subscriptionIdentifier)),
    );
    expect(explained.map(({ model }) => [model!.version, model!.isCanary]).toSorted()).toEqual([
      ['1', false],
      ['2', true],
    ]);

    expect([await cluster.setModelVersion(1, '2'), await cluster.setModelVersion(1, '2')]).toEqual([
      true,
      false,
    ]);
    await eventually('the version everywhere', TIMEOUT, async () => (await versions()) === '2,2');
    expect(await cluster.setModelVersion(1, '1')).toBe(true);
    await eventually('the way back', TIMEOUT, async () => (await versions()) === '1,1');
    await cluster.regenerate();
    await active();
    expect(await versions()).toBe('1,1');
    expect((await held(worker)).map(([stream]) => stream)).toEqual(before.map(([stream]) => stream));
    await eventually('the events', TIMEOUT, async () => {
      const events = await cluster.listEvents({ limit: 1_000 });
      const steps = events.flatMap((event) => (event.type === 'model-version' ? [event.step] : []));
      return steps.join() === 'canary,everywhere,back';
    });
  });

  it('run on all cameras after a time without failures', async () => {
    const worker = await workerOf('v1');
    answer = store('1');
    const { active, cluster } = await master(`ws://127.0.0.1:${worker.port}`, { share: 10, confirmAfter: 1 });
    await active();
    answer = store('2');
    // Each read of everything looks at the canary.
    await eventually('all cameras', 2 * TIMEOUT, async () => {
      await cluster.regenerate();
      return `${await versionsOf(worker)}` === '2,2';
    });
    expect(await cluster.getModels()).toMatchObject([{ current: '2', former: '1', candidate: null }]);
  });

  it('run on all cameras without a canary if the store does not keep the former file, and cannot go back', async () => {
    const worker = await workerOf('v1');
    answer = file('1');
    const { active, cluster } = await master(`ws://127.0.0.1:${worker.port}`, { share: 10 });
    await active();
    answer = file('2');
    await cluster.regenerate();
    await eventually('all cameras', TIMEOUT, async () => `${await versionsOf(worker)}` === '2,2');
    await expect(cluster.setModelVersion(1, '1')).rejects.toThrow(
      'version: the provider of model URLs does not have 1 any more; it gives 2',
    );
    await expect(cluster.setModelVersion(1, '9')).rejects.toThrow('version: must be one of 2, 1');
    await expect(cluster.setModelVersion(7, '1')).rejects.toThrow('modelId: no camera runs a model 7');
  });
});
