import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { until } from '../../../../test/support/until.js';
import { NetworkPolicy } from '../shared/network-policy.js';
import { resolveWorkers } from './worker-definition.js';
import { FlapWatch } from './flap-watch.js';
import { defaultWorkerLimits, type WorkerLimits } from './worker-limits.js';
import { WorkerPool } from './worker-pool.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const report = JSON.stringify({ type: 'stateReport', cpuUsage: 1, memoryUsage: 2, cameraConnections: [] });
const detection = JSON.stringify({
  type: 'imageDetection',
  subscriptionIdentifier: 'd;c',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { detection: {}, modelId: 1, modelName: 'm' },
});

/** Frames in a burst, one every 100 ms. */
const FLOODS: readonly (readonly [kind: string, frame: string, count: number])[] = [
  ['frames that are no JSON', 'x'.repeat(1024 * 1024), 5],
  ['tiny frames', 'x', 10_000],
  ['detections', detection, 200],
];
const limits: WorkerLimits = {
  ...defaultWorkerLimits,
  unreadBytes: 1024 * 1024,
  unreadFrames: 50,
  detectionsPerSecond: 100,
};

describe.each(FLOODS)('a worker that floods with %s', (_kind, frame, count) => {
  const servers: WebSocketServer[] = [];
  let pool: WorkerPool;
  let urls: string[];
  let flood: NodeJS.Timeout;
  const quarantined: { url: string; reason: string }[] = [];
  const states: string[] = [];
  let excess = 0;

  beforeAll(async () => {
    quarantined.length = states.length = excess = 0;
    for (let n = 0; n < 4; n++) {
      const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
      servers.push(server);
      await once(server, 'listening');
      server.on('connection', (socket) => {
        socket.on('message', () => socket.send(report));
        const timer = setInterval(() => socket.send(report), 500);
        socket.on('close', () => clearInterval(timer));
      });
    }
    urls = servers.map((server) => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    pool = new WorkerPool({
      workers: resolveWorkers(urls, [], NetworkPolicy.default),
      nodeId: 'n1',
      term: 1,
      mayAct: () => true,
      onDetection: () => undefined,
      limits: { silence: 10_000, eviction: 15_000 },
      flaps: new FlapWatch(),
      budget: limits,
      excessOf: () => (excess === 0 ? null : { pauses: excess, dropped: 0, oversized: 0 }),
    });
    pool.on('worker:quarantined', ({ url, reason }) => quarantined.push({ url, reason }));
    pool.on('worker:offline', ({ url }) => states.push(url));
    pool.on('excess', () => excess++);
    pool.start();
    await until(() => [...pool.states('n1')].every(({ state }) => state === 'Ready'));
    const [flooder] = [...servers[0]!.clients] as [WebSocket];
    flood = setInterval(() => {
      if (flooder.bufferedAmount < 4 * 1024 * 1024)
        for (let n = 0; n < count; n++) flooder.send(frame, { binary: false });
    }, 100);
  });
  afterAll(async () => {
    clearInterval(flood);
    pool.terminate();
    for (const server of servers.splice(0)) {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('is quarantined with the reason after a while; it and the others still report', async () => {
    await until(
      () => quarantined.length > 0,
      () => ({ excess }),
      40_000,
    );
    expect(quarantined).toEqual([{ url: urls[0], reason: 'flooding' }]);
    const [first, ...others] = [...pool.states('n1')];
    expect(first).toMatchObject({
      state: 'Quarantined',
      online: true,
      problem: 'it sends more than the master accepts from one worker, so it gets no new subscriptions',
      excess: { pauses: expect.any(Number) },
    });
    for (const other of others) expect(other).toMatchObject({ state: 'Ready', problem: null });
    expect(states).toEqual([]);
  });
});
