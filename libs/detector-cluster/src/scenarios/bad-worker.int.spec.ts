import { ConsoleLogger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import type { DetectorCluster } from '../node/detector-cluster.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

class RecordingLogger extends ConsoleLogger {
  readonly warnings: string[] = [];

  constructor() {
    super({ logLevels: ['warn'] });
  }

  override warn(message: unknown): void {
    this.warnings.push(String(message));
  }
}

const detection = (subscriptionIdentifier: string, sequence: number) =>
  JSON.stringify({
    type: 'imageDetection',
    subscriptionIdentifier,
    timestamp: '2026-01-01T00:00:00.000Z',
    data: { detection: { sequence }, modelId: 1, modelName: 'cars' },
  });

describe('a worker that misbehaves', () => {
  let server: WebSocketServer;
  let backend: ClusterProcess;
  let cluster: DetectorCluster;
  const logger = new RecordingLogger();
  const sockets: WebSocket[] = [];
  const held = new Set<string>();
  /** Part of each report. */
  let padding = '';
  const reportOf = () =>
    JSON.stringify({
      type: 'stateReport',
      cpuUsage: 1,
      memoryUsage: 1,
      padding,
      cameraConnections: [...held].map((subscriptionIdentifier) => ({
        subscriptionIdentifier,
        modelId: 1,
        modelName: 'cars',
        online: true,
      })),
    });
  const firstWorker = async () => (await cluster.getState()).workers[0];

  beforeEach(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    held.clear();
    padding = '';
    server.on('connection', (socket) => {
      sockets.push(socket);
      socket.on('message', (data) => {
        const { type, payload } = JSON.parse((data as Buffer).toString()) as {
          type: string;
          payload?: { subscriptionIdentifier: string };
        };
        if (type === 'subscribe') held.add(payload!.subscriptionIdentifier);
        socket.send(reportOf());
      });
    });
    const workers = [`ws://127.0.0.1:${(server.address() as AddressInfo).port}`];
    backend = await ClusterProcess.start({ prefix: `{${randomUUID()}}:`, workers, logger });
    cluster = backend.cluster;
  });
  afterEach(async () => {
    await backend.stop();
    for (const socket of sockets.splice(0)) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });

  it('passes no key to a callback that would poison a prototype', async () => {
    const seen: object[] = [];
    await cluster.subscribeToCamera('d;c', 'rtsp://x', 'http://m/x', 1, 'cars', ({ data }) =>
      seen.push(data),
    );
    await until(() => sockets.length === 1);
    await until(async () => (await cluster.getSubscriptions()).subscriptions[0]?.status === 'active');
    sockets[0]!.send(
      '{"type":"imageDetection","subscriptionIdentifier":"d;c","timestamp":"2026-01-01T00:00:00.000Z","data":' +
        '{"modelId":1,"modelName":"cars","__proto__":{"polluted":1},"detection":{"carBrand":"x",' +
        '"__proto__":{"polluted":1},"\\u005f_proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}',
    );
    await until(() => seen.length === 1);
    expect(JSON.stringify(seen[0])).toBe('{"modelId":1,"modelName":"cars","detection":{"carBrand":"x"}}');
  });

  it('is counted and logged once per kind, and disturbs nothing else', async () => {
    const seen: unknown[] = [];
    await cluster.subscribeToCamera('d;c', 'rtsp://x', 'http://m/x', 1, 'cars', ({ data }) =>
      seen.push(data.detection?.sequence),
    );
    await until(async () => (await cluster.getSubscriptions()).subscriptions[0]?.status === 'active');

    const [socket] = sockets as [WebSocket];
    for (let round = 0; round < 3; round++) {
      socket.send('{}');
      socket.send('{"type":'.padEnd(40));
      socket.send('{"type":"unheardOf"}'.padEnd(40));
      socket.send('{"type":"imageDetection","subscriptionIdentifier":7}');
      socket.send(Buffer.alloc(2 * 1024 * 1024, 'x'));
      socket.send(detection('d;other', round));
      socket.send(detection('d;c', round));
    }
    await until(() => seen.length === 3);

    expect(seen).toEqual([0, 1, 2]);
    expect(sockets).toHaveLength(1);
    const kinds = [
      'too-short',
      'not-json',
      'unknown-type',
      'invalid-imageDetection',
      'too-large',
      'does not hold',
    ];
    for (const kind of kinds)
      expect(logger.warnings.filter((warning) => warning.includes(kind))).toHaveLength(1);
  });

  it('shows in its state that its reports are refused, until one is accepted', async () => {
    await until(() => sockets.length === 1);
    await until(async () => (await firstWorker())?.state === 'Ready');
    padding = 'x'.repeat(1024 * 1024);
    for (;;) {
      const worker = await firstWorker();
      if (worker?.state === 'Suspect' && worker.problem !== null) {
        expect(worker.problem).toMatch(/^too-large: /);
        break;
      }
      // The first one comes with the first request for a report.
      if (worker?.state === 'Ready') expect(worker.problem).toBeNull();
      sockets.at(-1)?.send(reportOf());
      await sleep(100);
    }
    padding = '';
    await until(async () => (await firstWorker())?.state === 'Ready');
    expect((await firstWorker())?.problem).toBeNull();
  }, 60_000);
});
