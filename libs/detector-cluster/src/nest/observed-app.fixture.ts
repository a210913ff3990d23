import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { WebSocketServer, type WebSocket } from 'ws';
import { DetectorClusterModule } from './detector-cluster.module.js';
import type { DetectorClusterOptions } from '../options/detector-cluster-options.js';

/** A worker that keeps its subscriptions and sends messages for the test. */
export class ScriptedWorker {
  readonly sockets: WebSocket[] = [];
  private readonly held = new Set<string>();

  private constructor(private readonly server: WebSocketServer) {
    server.on('connection', (socket) => {
      this.sockets.push(socket);
      socket.on('message', (data) => {
        const { type, payload } = JSON.parse((data as Buffer).toString()) as {
          type: string;
          payload?: { subscriptionIdentifier: string };
        };
        if (type === 'subscribe') this.held.add(payload!.subscriptionIdentifier);
        if (type === 'unsubscribe') this.held.delete(payload!.subscriptionIdentifier);
        socket.send(this.report());
      });
    });
  }

  static async start(): Promise<ScriptedWorker> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    return new ScriptedWorker(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sends to the master that connected last. */
  send(frame: string): void {
    this.sockets.at(-1)!.send(frame);
  }

  holds(subscriptionIdentifier: string): boolean {
    return this.held.has(subscriptionIdentifier);
  }

  detect(subscriptionIdentifier: string, detection: object = {}): void {
    const data = { detection, modelId: 1, modelName: 'cars' };
    const timestamp = new Date().toISOString();
    this.send(JSON.stringify({ type: 'imageDetection', subscriptionIdentifier, timestamp, data }));
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private report(): string {
    const cameraConnections = [...this.held].map((subscriptionIdentifier) => ({
      subscriptionIdentifier,
      modelId: 1,
      modelName: 'cars',
      online: true,
    }));
    return JSON.stringify({ type: 'stateReport', cpuUsage: 1, memoryUsage: 1, cameraConnections });
  }
}

/** Every line as `[context] message`. Nest has one logger for all applications of a process: that of the last. */
export class RecordingLogger implements LoggerService {
  readonly lines: string[] = [];

  log(message: unknown, ...rest: unknown[]): void {
    this.lines.push(`[${String(rest.at(-1))}] ${String(message)}`);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.log(message, ...rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.log(message, ...rest);
  }
}

/** One process of a cluster; `options` has at least `redis` and `keyPrefix`. */
export async function startProcess(
  options: DetectorClusterOptions & { readonly redis: string; readonly keyPrefix: string },
  modules: DynamicModule['imports'],
  logger = new RecordingLogger(),
): Promise<TestingModule> {
  const app = await Test.createTestingModule({
    imports: [
      MasterElectionModule.forRoot({
        redis: options.redis,
        timing: 'fast',
        lockName: `${options.keyPrefix}election`,
        isGlobal: true,
      }),
      DetectorClusterModule.forRoot(options),
      ...(modules ?? []),
    ],
  })
    .setLogger(logger)
    .compile();
  await app.init();
  await app.get(MasterElection).waitForElectionComplete();
  return app;
}
