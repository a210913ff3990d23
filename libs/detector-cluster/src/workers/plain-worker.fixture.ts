import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

interface Stream {
  readonly subscriptionIdentifier: string;
  readonly modelId: number;
  readonly modelName: string;
  online: boolean;
}

/** A worker in the process of the test. It accepts subscriptions, reports after every command, and keeps its streams. */
export class PlainWorker {
  readonly streams = new Map<string, Stream>();
  /** The received commands in order: `subscribe d;c`. */
  readonly commands: string[] = [];
  /** Percent, for its reports. */
  cpu = 1;
  /** It reads commands and carries none out. */
  stubborn = false;
  /** How many times it breaks the connection on a subscribe without reading it. */
  aborts = 0;
  /** Addresses of its streams. Reports do not contain them. */
  readonly addresses = new Map<string, string>();
  /** URLs of the models of its streams. */
  readonly models = new Map<string, string>();
  /** Whether the model of a stream is loaded only when the worker is asked for its state. */
  isSlow = false;
  /** How many streams have been without their model at once. */
  mostLoading = 0;
  /** How many connections there have been. */
  opened = 0;
  /** How many reports it has sent. */
  reports = 0;
  private readonly sockets = new Set<WebSocket>();
  private readonly loading = new Set<string>();

  private constructor(private readonly server: WebSocketServer) {
    server.on('connection', (socket) => {
      this.opened++;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('message', (data) => this.take(socket, JSON.parse((data as Buffer).toString()) as Command));
    });
  }

  static async start(): Promise<PlainWorker> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    return new PlainWorker(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.sockets.size;
  }

  report(): void {
    this.reports++;
    this.send({
      type: 'stateReport',
      cpuUsage: this.cpu,
      memoryUsage: 1,
      cameraConnections: [...this.streams.values()].map((stream) =>
        this.loading.has(stream.subscriptionIdentifier) ? { ...stream, modelState: 'loading' } : stream,
      ),
    });
  }

  /** Reads nothing more from the present connections. */
  pause(): void {
    for (const socket of this.sockets) socket.pause();
  }

  /** Sends a message of the test to all connections. */
  send(message: object): void {
    for (const socket of this.sockets) socket.send(JSON.stringify(message));
  }

  /** Breaks the present connections. */
  disconnect(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  async stop(): Promise<void> {
    this.disconnect();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(socket: WebSocket, { type, payload }: Command): void {
    if (type === 'requestState') {
      this.loading.clear();
      return this.report();
    }
    if (payload === undefined) return;
    const { subscriptionIdentifier, modelId, modelName, modelUrl, rtspUrl } = payload;
    if (type === 'subscribe' && this.aborts > 0) {
      this.aborts--;
      return socket.terminate();
    }
    this.commands.push(`${type} ${subscriptionIdentifier}`);
    if (this.stubborn) return this.report();
    if (type === 'unsubscribe') {
      this.streams.delete(subscriptionIdentifier);
      this.addresses.delete(subscriptionIdentifier);
      this.models.delete(subscriptionIdentifier);
    } else if (type === 'subscribe') {
      this.streams.set(subscriptionIdentifier, { subscriptionIdentifier, modelId, modelName, online: true });
      this.addresses.set(subscriptionIdentifier, rtspUrl);
      const isOther = this.models.get(subscriptionIdentifier) !== modelUrl;
      this.models.set(subscriptionIdentifier, modelUrl);
      if (this.isSlow && isOther) this.loading.add(subscriptionIdentifier);
      this.mostLoading = Math.max(this.mostLoading, this.loading.size);
    }
    this.report();
  }
}

interface Command {
  readonly type: string;
  readonly payload?: {
    subscriptionIdentifier: string;
    modelId: number;
    modelName: string;
    modelUrl: string;
    rtspUrl: string;
  };
}
