import {
  encodeWorkerMessage,
  parseWorkerCommand,
  STATE_REPORT_INTERVAL_MS,
  type CameraConnection,
  type StateReportMessage,
} from '@detector-cluster/worker-protocol';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

export interface SimulatedWorkerEvents {
  held: [subscriptionIdentifier: string];
  dropped: [subscriptionIdentifier: string];
}

/** A worker that accepts subscriptions and reports them every two seconds, like a real one, but analyses nothing. */
export class SimulatedWorker extends EventEmitter<SimulatedWorkerEvents> {
  private readonly held = new Map<string, CameraConnection>();
  private readonly sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  private stream: Socket | null = null;
  private timer: NodeJS.Timeout;

  private constructor(private readonly server: Server) {
    super();
    server.on('upgrade', (request, stream: Socket, head) =>
      this.sockets.handleUpgrade(request, stream, head, (socket) => this.welcome(socket, stream)),
    );
    // Workers do not report at the same instant.
    const timer = () => this.sockets.clients.forEach((socket) => this.report(socket));
    this.timer = setTimeout(() => {
      this.timer = setInterval(timer, STATE_REPORT_INTERVAL_MS);
    }, Math.random() * STATE_REPORT_INTERVAL_MS);
  }

  static async start(): Promise<SimulatedWorker> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SimulatedWorker(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Writes one or more complete WebSocket frames to the client that connected last. */
  write(bytes: Buffer): void {
    if (this.stream === null) throw new Error(`no client is connected to ${this.url}`);
    this.stream.write(bytes);
  }

  close(): void {
    clearInterval(this.timer);
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.close();
  }

  private welcome(socket: WebSocket, stream: Socket): void {
    this.stream = stream;
    stream.on('close', () => {
      if (this.stream === stream) this.stream = null;
    });
    this.report(socket);
    socket.on('message', (frame: Buffer) => this.obey(socket, frame));
  }

  private obey(socket: WebSocket, frame: Buffer): void {
    const parsed = parseWorkerCommand(frame);
    if (!parsed.ok) throw new Error(`the master sent an invalid command: ${parsed.detail}`);
    const { command } = parsed;
    if (command.type === 'subscribe') {
      const { subscriptionIdentifier, modelId, modelName } = command.payload;
      this.held.set(subscriptionIdentifier, { subscriptionIdentifier, modelId, modelName, online: true });
      this.emit('held', subscriptionIdentifier);
    } else if (command.type === 'unsubscribe') {
      const { subscriptionIdentifier } = command.payload;
      this.held.delete(subscriptionIdentifier);
      this.emit('dropped', subscriptionIdentifier);
    } else if (command.type === 'requestState') this.report(socket);
  }

  private report(socket: WebSocket): void {
    const report: StateReportMessage = {
      type: 'stateReport',
      cpuUsage: 30 + 10 * Math.random(),
      memoryUsage: 40 + Math.random(),
      gpuUsage: 50 + 10 * Math.random(),
      gpuMemoryUsage: 45,
      cameraConnections: [...this.held.values()],
    };
    socket.send(encodeWorkerMessage(report));
  }
}
