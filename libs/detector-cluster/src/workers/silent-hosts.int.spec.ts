import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { PlainWorker } from './plain-worker.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMEOUT = 20_000;
const HOSTS = 300;

let silent: Server;
let sockets: Set<Socket>;
let healthy: PlainWorker;
let master: ClusterProcess;

beforeEach(async () => {
  sockets = new Set();
  silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.resume();
  });
  silent.listen(0, '127.0.0.1', HOSTS);
  await once(silent, 'listening');
  healthy = await PlainWorker.start();
});
afterEach(async () => {
  await master.stop();
  await healthy.stop();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

/** A master that is connected to one healthy worker, beside the given number of silent hosts. */
async function start(hosts: number): Promise<void> {
  const { port } = silent.address() as AddressInfo;
  const addresses = Array.from({ length: hosts }, (_, i) => `ws://127.0.0.1:${port}/${i}`);
  master = await ClusterProcess.start({
    prefix: `{${randomUUID()}}:`,
    workers: [healthy.url, ...addresses],
  });
  await eventually('the healthy worker', TIMEOUT, async () => {
    const { workers } = await master.cluster.getState();
    return workers.some(({ url, online }) => url === healthy.url && online);
  });
}

/** Milliseconds until the worker is connected to again. */
async function reconnection(): Promise<number> {
  const began = performance.now();
  await once(master.cluster, 'worker:connected');
  return performance.now() - began;
}

describe(`a healthy worker beside ${HOSTS} hosts that accept connections and say nothing`, () => {
  beforeEach(() => start(HOSTS));

  it('is connected to again soon', async () => {
    // All places that silent hosts may have are taken by now.
    await eventually('silent hosts', TIMEOUT, () => sockets.size >= 12);
    const reconnected = reconnection();
    healthy.disconnect();
    expect(await reconnected).toBeLessThan(3_000);
  });

  it('is among the first that the next master dials', async () => {
    await eventually('silent hosts', TIMEOUT, () => sockets.size >= 12);
    await master.cluster.resignMaster();
    expect(await reconnection()).toBeLessThan(3_000);
  });
});

it('a master that finds most workers silent when it begins does not report that they vanished', async () => {
  await start(4);
  const offline = async () => {
    const { workers } = await master.cluster.getState();
    return workers.filter(({ state }) => state === 'Offline').length === 4;
  };
  await eventually('silent hosts to be offline', 40_000, offline);
  // A pass has seen it.
  await master.cluster.regenerate();
  expect((await master.cluster.plan({ dryRun: true })).frozen).toBe(false);
  expect((await master.cluster.listEvents()).map(({ type }) => type)).not.toContain('cluster-frozen');
});
