import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConnectionRegistry } from '../../../../apps/detector-worker/src/connections/connection-registry.js';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const subscribe = ({ cluster }: ClusterProcess, id: string) =>
  cluster.subscribeToCamera(id, 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);

describe('sessions', () => {
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  async function setUp(workerEnv: Record<string, string> = {}) {
    const worker = await TestWorker.start(workerEnv);
    const prefix = `{${randomUUID()}}:`;
    const start = async () => {
      const process = await ClusterProcess.start({ prefix, workers: [`ws://127.0.0.1:${worker.port}`] });
      running.push(process);
      return process;
    };
    running.push(worker);
    const sessions = async () => (await worker.stats()).sessions;
    const has = (expected: object) =>
      until(async () => JSON.stringify(await sessions()) === JSON.stringify(expected));
    return { worker, start, has, sessions };
  }

  it('reach the worker from any process, and are cleared again', async () => {
    const { start, has } = await setUp();
    const [master, other] = [await start(), await start()];
    expect([master.election.getIsMaster(), other.election.getIsMaster()]).toEqual([true, false]);
    await subscribe(master, 'd1;c1');
    await master.active(1);

    await expect(other.cluster.setSessionId('d1;c1', 41)).resolves.toBe(true);
    await has({ d1: 41 });
    await master.cluster.setSessionId('d1;c1', 42);
    await has({ d1: 42 });
    await other.cluster.setSessionId('d1;c1', null);
    await has({});
  });

  it('may exist before the subscription, and follow every subscribe', async () => {
    const { worker, start, has, sessions } = await setUp();
    const master = await start();
    await master.cluster.setSessionId('d1;c1', 5);
    await master.cluster.setSessionId('d2;c1', 6);
    await subscribe(master, 'd1;c1');
    await has({ d1: 5 });
    // The worker forgets; a new subscribe sends it the session again.
    const { accepted } = (await worker.stats()).commands;
    await master.cluster.unsubscribeFromCamera('d1;c1');
    await until(async () => (await worker.stats()).commands.accepted.unsubscribe > accepted.unsubscribe);
    await subscribe(master, 'd1;c1');
    await until(async () => (await worker.stats()).commands.accepted.setSessionId > accepted.setSessionId);
    expect(await sessions()).toEqual({ d1: 5 });
  });

  it('outlive the master: the next one sends them again, and those that were set in between', async () => {
    const { worker, start, has } = await setUp();
    const [master, successor] = [await start(), await start()];
    await subscribe(master, 'd1;c1');
    await subscribe(master, 'd2;c1');
    await master.active(2);
    await master.cluster.setSessionId('d1;c1', 1);
    await has({ d1: 1 });
    const { accepted } = (await worker.stats()).commands;
    const handOver = master.stop();
    await successor.cluster.setSessionId('d2;c1', 2);
    await handOver;
    running.splice(running.indexOf(master), 1);
    await has({ d1: 1, d2: 2 });
    const after = (await worker.stats()).commands.accepted;
    expect(after.setSessionId - accepted.setSessionId).toBeGreaterThanOrEqual(2);
    expect(after.subscribe).toBe(accepted.subscribe);
  });

  it('are sent again to a worker that has lost its connection', async () => {
    const { worker, start, has } = await setUp();
    const master = await start();
    await subscribe(master, 'd1;c1');
    await master.active(1);
    await master.cluster.setSessionId('d1;c1', 1);
    await has({ d1: 1 });
    const { commands, connections } = await worker.stats();
    const sentBefore = commands.accepted.setSessionId;
    for (const { socket } of worker.app.get(ConnectionRegistry).all()) socket.close(1011);
    const opened = new Set(connections.map(({ number }) => number));
    await until(async () => !(await worker.stats()).connections.some(({ number }) => opened.has(number)));
    await until(async () => (await worker.stats()).commands.accepted.setSessionId > sentBefore);
  });

  it('refuse invalid sessions and subscriptions', async () => {
    const { start } = await setUp();
    const { cluster } = await start();
    await expect(cluster.setSessionId('d1', 1)).rejects.toThrow(/subscriptionIdentifier/);
    for (const bad of [1.5, Number.NaN, '1', undefined])
      await expect(cluster.setSessionId('d1;c1', bad as number)).rejects.toThrow(/sessionId: must be/);
  });

  it('patches of workers go to the handler of the master, and are always answered', async () => {
    const { worker, start, has } = await setUp({ PATCH_SESSION_EVERY_MS: '100' });
    const master = await start();
    await subscribe(master, 'd1;c1');
    await master.active(1);
    await master.cluster.setSessionId('d1;c1', 1);
    await has({ d1: 1 });
    const patches = async () => (await worker.stats()).sessionPatches;

    await until(async () => (await patches()).failed > 2);
    const seen: unknown[] = [];
    const remove = master.cluster.onPatchSession((patch) => void seen.push(patch));
    await until(async () => (await patches()).succeeded > 2);
    expect(seen[0]).toEqual({
      sessionId: 1,
      data: { displayIdentifier: 'd1', lastSeen: expect.any(String) },
      workerUrl: `ws://127.0.0.1:${worker.port}`,
    });
    remove();
    const { failed } = await patches();
    master.cluster.onPatchSession(() => Promise.reject(new Error('disk full')));
    await until(async () => (await patches()).failed > failed + 2);
    await until(async () => {
      const { sent, succeeded, failed: refused } = await patches();
      return sent === succeeded + refused;
    });
  });

  it('patches that a master has read are answered once each, also if its successor takes over first', async () => {
    const { worker, start, has } = await setUp({ PATCH_SESSION_EVERY_MS: '100' });
    const [master, successor] = [await start(), await start()];
    const patches = async () => (await worker.stats()).sessionPatches;
    let taken = 0;
    master.cluster.onPatchSession(async () => {
      taken++;
      // Never ends: the master fails the patch after 4.5 s, unless a successor takes over first.
      await new Promise(() => undefined);
    });
    let takenLater = 0;
    successor.cluster.onPatchSession(() => void takenLater++);
    await subscribe(master, 'd1;c1');
    await master.active(1);
    await master.cluster.setSessionId('d1;c1', 1);
    await until(() => taken > 3);
    const handOver = master.stop();
    running.splice(running.indexOf(master), 1);
    await until(async () => (await patches()).failed > 3);
    await until(async () => (await patches()).succeeded > 3);
    await handOver;
    await successor.cluster.setSessionId('d1;c1', null);
    await has({});
    // What the worker wrote just before the master closed its connection may be lost before it is read.
    const answers = async () => {
      const { succeeded, failed } = await patches();
      return succeeded + failed;
    };
    await until(async () => (await answers()) === taken + takenLater);
    await sleep(300);
    expect(await answers()).toBe(taken + takenLater);
  });
});
