import { closeRedis, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import type { DetectorCluster } from '../node/detector-cluster.js';
import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { clusterKeys } from '../shared/cluster-keys.js';
import { until } from '../../../../test/support/until.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const wanted = {
  rtspUrl: 'rtsp://x',
  modelId: 1,
  modelName: 'cars',
  createdAt: '2026-01-01T00:00:00.000Z',
};

const unavailable = (): Promise<DesiredCameraSubscription[]> =>
  Promise.reject(new Error('postgres://user:hunter2@db is unavailable'));

describe('operator requests to the cluster', () => {
  const prefix = `{${randomUUID()}}:`;
  let workers: TestWorker[];
  let urls: string[];
  let redis: Redis;
  let master: ClusterProcess;
  let other: ClusterProcess;
  let both: DetectorCluster[];

  beforeAll(async () => {
    redis = openPatientRedis(process.env.REDIS_URL!);
    workers = await Promise.all([TestWorker.start(), TestWorker.start()]);
    urls = workers.map(({ port }) => `ws://127.0.0.1:${port}`);
    const options = { prefix, workers: urls.map((url) => url.replace('//', '//user:hunter2@')) };
    master = await ClusterProcess.start(options);
    other = await ClusterProcess.start(options);
    both = [master.cluster, other.cluster];
    await whenReady(redis, 5_000);
    for (const id of ['d1;c1', 'd2;c2'])
      await other.cluster.subscribeToCamera(id, 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await other.active(2);
  });
  afterAll(async () => {
    for (const one of [other, master, ...workers]) await one?.stop();
    closeRedis(redis);
  });

  const placeOf = async (id: string) => {
    const { subscriptions } = await other.cluster.getSubscriptions();
    return subscriptions.find((one) => one.subscriptionIdentifier === id)?.assignedWorkerUrl;
  };
  const standings = async () =>
    Object.fromEntries(
      Object.entries(await redis.hgetall(clusterKeys(prefix).directives)).map(([url, text]) => [
        url,
        (JSON.parse(text) as { standing: string }).standing,
      ]),
    );

  it('return the same plan and explanation in every process', async () => {
    expect([master, other].map(({ election }) => election.getIsMaster())).toEqual([true, false]);
    for (const cluster of both) {
      const plan = await cluster.plan({ dryRun: true });
      expect(plan).toMatchObject({ actions: [], unplaced: [], moves: [], frozen: false });
      expect(plan.scores.map(({ url }) => url)).toEqual(urls.toSorted());
      expect(await cluster.plan({ dryRun: true, rebalance: true })).toMatchObject({ term: plan.term });
      const explanation = await cluster.explain('d1;c1');
      expect(explanation).toMatchObject({ unitId: 'c1', workerUrl: await placeOf('d1;c1'), actions: [] });
      expect(explanation.workers).toHaveLength(2);
      await expect(cluster.rebalanceWorkers()).resolves.toBe(true);
      await expect(cluster.regenerate()).resolves.toBe(true);
    }
  });

  it('preview a change of the desired state, and change nothing', async () => {
    const [one, two] = [await placeOf('d1;c1'), await placeOf('d2;c2')];
    const model = { modelId: 1, modelName: 'cars' };
    for (const cluster of both) {
      const preview = await cluster.previewChange({
        added: [
          { subscriptionIdentifier: 'd9;c1', ...model },
          { subscriptionIdentifier: 'd9;c9', ...model },
        ],
        removed: ['d2;c2'],
      });
      expect(preview).toMatchObject({ term: expect.any(Number), frozen: false, others: [], omitted: 0 });
      expect(preview.placements).toEqual([
        { subscriptionIdentifier: 'd9;c1', from: null, to: one, reasons: null },
        { subscriptionIdentifier: 'd9;c9', from: null, to: expect.stringMatching(/^ws:/), reasons: null },
        // It is explicit, so it does not depend on the source.
        { subscriptionIdentifier: 'd2;c2', from: two, to: two, reasons: null },
      ]);
      await expect(cluster.explain('d9;c9')).rejects.toMatchObject({ code: 'SUBSCRIPTION_NOT_DESIRED' });
      for (const change of [undefined, {}, { added: [] }, { added: [], removed: Array(10_001).fill('d;c') }])
        await expect(cluster.previewChange(change as never)).rejects.toMatchObject({
          name: 'InvalidInputError',
          field: expect.stringMatching(/added|removed/),
        });
      await expect(cluster.previewChange({ added: [], removed: ['d1'] })).rejects.toMatchObject({
        name: 'InvalidInputError',
      });
    }
  });

  it('reject invalid arguments', async () => {
    for (const cluster of both) {
      for (const options of [undefined, {}, { dryRun: false }])
        await expect(cluster.plan(options as never)).rejects.toThrow(
          /dryRun: must be true.*rebalanceWorkers/,
        );
      const wrong = cluster.plan({ dryRun: true, rebalance: 'yes' as never });
      await expect(wrong).rejects.toMatchObject({ name: 'InvalidInputError', field: 'rebalance' });
      await expect(cluster.explain('d1')).rejects.toMatchObject({ field: 'subscriptionIdentifier' });
      const unknown = cluster.explain('d9;c9');
      await expect(unknown).rejects.toMatchObject({ code: 'SUBSCRIPTION_NOT_DESIRED' });
      for (const call of ['drainWorker', 'cordonWorker', 'uncordonWorker'] as const) {
        await expect(cluster[call]('ws://x:y@nowhere:1')).rejects.toMatchObject({
          code: 'UNKNOWN_WORKER',
          url: 'ws://nowhere:1',
          message: expect.stringContaining(urls[0]!),
        });
        await expect(cluster.setWorkerStanding(urls[0]!, 'toString' as never)).rejects.toMatchObject({
          name: 'InvalidInputError',
          field: 'standing',
        });
        await expect(cluster[call]('')).rejects.toMatchObject({ name: 'InvalidInputError', field: 'url' });
      }
    }
    expect(await standings()).toEqual({});
  });

  it('drain, cordon and uncordon a worker', async () => {
    const from = (await placeOf('d1;c1'))!;
    const to = urls.find((url) => url !== from)!;
    const scoreOf = async (url: string) =>
      (await other.cluster.plan({ dryRun: true })).scores.find((score) => score.url === url)?.rejects;

    await expect(other.cluster.drainWorker(from.replace('//', '//user:hunter2@'))).resolves.toBe(true);
    expect(await standings()).toEqual({ [from]: 'draining' });
    const again = await Promise.all(both.map((cluster) => cluster.setWorkerStanding(from, 'draining')));
    const first = {
      standing: 'draining',
      since: expect.stringMatching(/^2.*Z$/),
      former: 'draining',
      changed: false,
    };
    expect(again).toEqual([first, first]);
    expect(again[0]!.since).toBe(again[1]!.since);
    await expect(master.cluster.drainWorker(from)).resolves.toBe(true);
    expect(await scoreOf(from)).toBe('draining');
    await until(async () => (await placeOf('d1;c1')) === to && (await placeOf('d2;c2')) === to);
    await expect(master.cluster.cordonWorker(from)).resolves.toBe(true);
    expect(await standings()).toEqual({ [from]: 'cordoned' });
    expect(await scoreOf(from)).toBe('cordoned');
    const open = { standing: 'open', since: null };
    await expect(other.cluster.setWorkerStanding(from, 'open')).resolves.toEqual({
      ...open,
      former: 'cordoned',
      changed: true,
    });
    await expect(other.cluster.setWorkerStanding(from, 'open')).resolves.toEqual({
      ...open,
      former: 'open',
      changed: false,
    });
    await expect(other.cluster.uncordonWorker(from)).resolves.toBe(true);
    expect(await standings()).toEqual({});
    expect(await scoreOf(from)).toBeNull();
  });

  it('read a desired state that has changed without an announcement', async () => {
    const subscriptions: DesiredCameraSubscription[] = [];
    const own = await ClusterProcess.start({
      prefix: `{${randomUUID()}}:`,
      workers: [],
      desiredState: { read: async () => ({ subscriptions: [...subscriptions], skipped: [] }) },
    });
    try {
      await own.cluster.regenerate();
      subscriptions.push({ ...wanted, subscriptionIdentifier: 'd5;c5' });
      await expect(own.cluster.explain('d5;c5')).rejects.toMatchObject({ code: 'SUBSCRIPTION_NOT_DESIRED' });
      await expect(own.cluster.regenerate()).resolves.toBe(true);
      const change = {
        added: [{ subscriptionIdentifier: 'd6;c6', modelId: 1, modelName: 'm' }],
        removed: ['d5;c5'],
      };
      expect((await own.cluster.previewChange(change)).placements).toEqual([
        { subscriptionIdentifier: 'd6;c6', from: null, to: null, reasons: {} },
        { subscriptionIdentifier: 'd5;c5', from: null, to: null, reasons: null },
      ]);
      const { subscriptions: actual } = await own.cluster.getSubscriptions();
      expect(actual).toMatchObject([{ subscriptionIdentifier: 'd5;c5', status: 'pending' }]);
    } finally {
      await own.stop();
    }
  });

  it('explain why a subscription does not run, once the master can know it', async () => {
    let answer = unavailable;
    let asked = 0;
    const own = await ClusterProcess.start({
      prefix: `{${randomUUID()}}:`,
      workers: [],
      desiredState: {
        read: async () => {
          asked++;
          return { subscriptions: await answer(), skipped: [] };
        },
      },
    });
    try {
      const early = own.cluster.explain('d5;c5');
      await expect(early).rejects.toMatchObject({
        problem: 'unreadable',
        message: expect.stringMatching(/^explain: the desired state cannot be read/),
      });
      for (const call of ['regenerate', 'rebalanceWorkers'] as const)
        await expect(own.cluster[call]()).rejects.toMatchObject({ call, problem: 'unreadable' });
      expect(asked).toBeGreaterThan(0);
      // A subscription that needs no database.
      await own.cluster.subscribeToCamera('d6;c6', 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
      await expect(own.cluster.explain('d6;c6')).resolves.toMatchObject({ unitId: 'c6' });
      let arrive!: (subscriptions: DesiredCameraSubscription[]) => void;
      const read = new Promise<DesiredCameraSubscription[]>((resolve) => (arrive = resolve));
      answer = () => read;
      const late = Promise.allSettled(['d5;c5', 'd7;c7'].map((id) => own.cluster.explain(id)));
      await sleep(1_000);
      arrive([{ ...wanted, subscriptionIdentifier: 'd5;c5' }]);
      expect(await late).toMatchObject([
        { status: 'fulfilled', value: { unitId: 'c5', workerUrl: null } },
        { status: 'rejected', reason: { code: 'SUBSCRIPTION_NOT_DESIRED' } },
      ]);
    } finally {
      await own.stop();
    }
  });

  it('store the directive of a worker without a master, and the next master applies it', async () => {
    await master.stop();
    // The successor may not be elected yet; it reads the directive when it is.
    await expect(other.cluster.cordonWorker(urls[0]!)).resolves.toBe(true);
    expect(await standings()).toEqual({ [urls[0]!]: 'cordoned' });
    const { scores } = await other.cluster.plan({ dryRun: true });
    expect(scores.find(({ url }) => url === urls[0])?.rejects).toBe('cordoned');
  });
});
