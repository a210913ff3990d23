import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { answered, until } from '../../../../test/support/until.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ID = 'd1;c1';

const prefix = () => `{${randomUUID()}}:`;

const subscribe = ({ cluster }: ClusterProcess, rtspUrl: string) =>
  cluster.subscribeToCamera(ID, rtspUrl, 'http://m/x', 1, 'cars', () => undefined);

describe('a changed address, which no report shows', () => {
  let worker: PlainWorker;
  let processes: ClusterProcess[];

  beforeEach(async () => {
    worker = await PlainWorker.start();
    processes = [];
  });
  afterEach(async () => {
    for (const each of processes) await each.stop();
    await worker.stop();
  });

  async function join(keys: string): Promise<ClusterProcess> {
    const started = await ClusterProcess.start({ prefix: keys, workers: [worker.url] });
    processes.push(started);
    return started;
  }

  /** Follows the state until the new address is active. It must never be active while the worker has the old address. */
  async function arrives({ cluster }: ClusterProcess, rtspUrl: string, before: string): Promise<void> {
    for (;;) {
      const shown = (await answered(() => cluster.getSubscriptions()))?.subscriptions[0];
      const isActive = shown?.status === 'active' && shown.specHash !== before && shown.unconfirmed !== true;
      if (isActive) {
        expect(worker.addresses.get(ID)).toBe(rtspUrl);
        return;
      }
      await sleep(20);
    }
  }

  async function running(): Promise<[ClusterProcess, string]> {
    const first = await join(prefix());
    await subscribe(first, 'rtsp://x');
    await first.active(1);
    const { subscriptions } = await first.cluster.getSubscriptions();
    return [first, subscriptions[0]!.specHash];
  }

  it('reaches a worker that breaks the connection on receipt', async () => {
    const [process, before] = await running();
    worker.aborts = 2;
    await subscribe(process, 'rtsp://y');
    await arrives(process, 'rtsp://y', before);
  });

  it('reaches a worker that did not read it before its connection was given up', async () => {
    const [process, before] = await running();
    worker.pause();
    await subscribe(process, 'rtsp://y');
    await arrives(process, 'rtsp://y', before);
  });

  it('reaches the worker when the master resigns as it sends', async () => {
    const [process] = await running();
    worker.pause();
    await subscribe(process, 'rtsp://y');
    await sleep(300);
    await process.cluster.resignMaster();
    for (const giveUp = performance.now() + 30_000; worker.addresses.get(ID) !== 'rtsp://y'; await sleep(20))
      expect(performance.now()).toBeLessThan(giveUp);
    await process.active(1);
  });

  it('reaches the worker when the master is killed between the record and the command', async () => {
    const keys = prefix();
    const script = new URL('../../../../test/support/dist/cluster-child.js', import.meta.url);
    const options = { redis: process.env.REDIS_URL, prefix: keys, workers: [worker.url] };
    const master = fork(script, [JSON.stringify(options)], { execArgv: [] });
    const exited = once(master, 'exit');
    try {
      await once(master, 'message');
      const follower = await join(keys);
      expect(follower.election.getIsMaster()).toBe(false);
      await subscribe(follower, 'rtsp://x');
      await follower.active(1);
      const { subscriptions } = await follower.cluster.getSubscriptions();
      const before = subscriptions[0]!.specHash;

      // From now on, commands stay in the socket and are lost with it, as if they had not been sent.
      worker.pause();
      await subscribe(follower, 'rtsp://y');
      const isWritten = async () => {
        const [shown] = (await follower.cluster.getSubscriptions()).subscriptions;
        return shown!.specHash !== before && shown!.unconfirmed === true;
      };
      await until(isWritten);
      master.kill('SIGKILL');
      await exited;
      worker.disconnect();
      expect(worker.addresses.get(ID)).toBe('rtsp://x');
      await arrives(follower, 'rtsp://y', before);
    } finally {
      master.kill('SIGKILL');
      await exited;
    }
  });
});
