import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe('the state of a worker', () => {
  const workers: TestWorker[] = [];
  const processes: ClusterProcess[] = [];
  let urls: string[];

  beforeAll(async () => {
    workers.push(...(await Promise.all([TestWorker.start(), TestWorker.start()])));
    urls = workers.map(({ port }) => `ws://127.0.0.1:${port}`);
    const options = { prefix: `{${randomUUID()}}:`, workers: urls };
    processes.push(await ClusterProcess.start(options), await ClusterProcess.start(options));
    const { cluster } = processes[0]!;
    for (const id of ['d1;c1', 'd2;c2'])
      await cluster.subscribeToCamera(id, 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await processes[0]!.active(2);
  });
  afterAll(async () => {
    for (const one of [...processes, ...workers]) await one.stop();
  });

  const events = async (type: string) =>
    (await processes[0]!.cluster.listEvents()).filter((event) => event.type === type);

  const stateOf = async (url: string, { cluster }: ClusterProcess = processes[1]!) =>
    (await cluster.getState()).workers.find((worker) => worker.url === url);

  it('says how many subscriptions a drain began with, also under the next master', async () => {
    const [url] = urls as [string];
    // A follower reads what the master has written.
    await until(async () => ((await stateOf(url))?.subscriptionCount ?? 0) > 0);
    const { subscriptionCount: before } = (await stateOf(url))!;
    expect(await stateOf(url)).toMatchObject({ standing: 'open', drainTotal: null });
    await processes[1]!.cluster.drainWorker(url);
    await until(async () => (await stateOf(url))?.subscriptionCount === 0);
    const drained = { state: 'Ready', standing: 'draining', drainTotal: before, subscriptionCount: 0 };
    expect(await stateOf(url)).toMatchObject(drained);

    const master = processes.find(({ election }) => election.getIsMaster())!;
    const next = processes.find((process) => process !== master)!;
    await master.cluster.resignMaster();
    // Until the next master has written, the record is still the one of its predecessor.
    await until(async () => {
      const { processId, state } = (await stateOf(url, next))!;
      return processId === next.election.getNodeId() && state === 'Ready';
    });
    expect(await stateOf(url, next)).toMatchObject(drained);
    // Neither worker has left, so only the first master recorded that it came.
    await next.cluster.recordAction({ by: 'test', action: 'look', target: null });
    await until(async () => (await events('operator-action')).length === 1);
    expect(await events('worker-online')).toHaveLength(2);
    await next.cluster.uncordonWorker(url);
    await until(async () => (await stateOf(url))?.standing === 'open');
    expect(await stateOf(url)).toMatchObject({ drainTotal: null });
  });

  it('is the same object for all readers until the worker reports again', async () => {
    const master = processes.find(({ election }) => election.getIsMaster())!;
    const [url] = urls as [string];
    const read = async () => (await stateOf(url, master))!;
    await until(async () => (await read()) === (await read()));
    const before = await read();
    await until(async () => (await read()) !== before);
    expect((await read()).lastHeartbeat > before.lastHeartbeat).toBe(true);
    expect(Object.isFrozen(before) && Object.isFrozen(before.subscriptions)).toBe(true);
  });

  it('has no figures while the worker does not report, and no subscriptions once they run elsewhere', async () => {
    const warnings = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const lost = workers[1]!;
    const url = urls[1]!;
    await until(async () => ((await stateOf(url))?.subscriptionCount ?? 0) > 0);
    expect(await stateOf(url)).toMatchObject({ cpuUsage: expect.any(Number) });
    await lost.stop();
    workers.pop();
    const silent = { online: false, cpuUsage: null, memoryUsage: null, gpuUsage: null, connectedAt: '' };
    await until(async () => (await stateOf(url))?.state === 'Suspect');
    expect(await stateOf(url)).toMatchObject(silent);
    const master = processes.find(({ election }) => election.getIsMaster())!;
    const heartbeats = new Set<string>();
    for (let i = 0; i < 20; i++) heartbeats.add((await stateOf(url, master))!.lastHeartbeat);
    expect([...heartbeats]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT/)]);
    await until(async () => (await stateOf(url))?.state === 'Offline');
    expect(await stateOf(url)).toMatchObject({ ...silent, subscriptionCount: 0, subscriptions: [] });
    await processes[0]!.active(2);
    await until(async () =>
      JSON.stringify(await events('camera-moved')).includes('"reason":"worker-offline"'),
    );
    // The master publishes the lists of workers a moment after the status of subscriptions.
    await until(async () => {
      const { workers: all } = await processes[0]!.cluster.getState();
      return all.reduce((sum, { subscriptionCount }) => sum + subscriptionCount, 0) === 2;
    });
    const said = warnings.mock.calls.map(([message]) => String(message)).filter((line) => line.includes(url));
    expect(said).toEqual([
      expect.stringMatching(/the connection to worker .* is lost: closed with code \d+/),
      `worker ${url} is suspect: its connection is closed`,
      expect.stringMatching(/cannot be reached: the connection is refused.*; trying again until it can/),
      expect.stringMatching(/is offline: it did not come back/),
    ]);
    warnings.mockRestore();
  });
});
