import { workerStats } from '@detector-cluster/local-cluster';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import type { DialMeter } from './dial-meter.js';
import { LinkConnection } from './link-connection.js';

export interface WorkerLinkOptions {
  /** Additional delay of the worker's first bytes on each connection, like a long distance. Milliseconds. */
  readonly handshakeDelay?: number;
  /** Counts connections from their arrival to the worker's first bytes. */
  readonly dials?: DialMeter;
}

/** The network between masters and one worker. Forwards every byte unless a test changes that. */
export class WorkerLink {
  private readonly connections = new Set<LinkConnection>();
  private away = false;

  private constructor(
    private readonly server: Server,
    private readonly workerPort: number,
    private readonly options: WorkerLinkOptions,
  ) {
    server.on('connection', (master) => {
      const worker = connect(this.workerPort, '127.0.0.1');
      const connection = new LinkConnection(master, worker, this.options);
      this.connections.add(connection);
      connection.onClosed = () => this.connections.delete(connection);
      if (this.away) connection.hold('both');
    });
  }

  static async open(workerPort: number, options: WorkerLinkOptions = {}): Promise<WorkerLink> {
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WorkerLink(server, workerPort, options);
  }

  /** The name under which masters know the worker. */
  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Address of the worker's own HTTP server, past the link. */
  get workerUrl(): string {
    return `http://127.0.0.1:${this.workerPort}`;
  }

  /** What the worker reports about itself. */
  stats(): ReturnType<typeof workerStats> {
    return workerStats(this.workerUrl);
  }

  /** Bytes of masters that are being held back. */
  get heldBytes(): number {
    return [...this.connections].reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  }

  /** Resets every connection, and returns how many there were. */
  cut(): number {
    const { size } = this.connections;
    for (const connection of this.connections) connection.reset();
    return size;
  }

  /** Breaks every connection in the middle of what the worker sends next, and returns how many there are. */
  tear(): number {
    for (const connection of this.connections) connection.tear();
    return this.connections.size;
  }

  /** From now on nothing gets through in either direction, not even the end of a connection; new connections are silent too. */
  vanish(): void {
    this.away = true;
    for (const connection of this.connections) connection.hold('both');
  }

  /** Ends {@link vanish}: data that was sent in the meantime arrives. */
  reappear(): void {
    this.away = false;
    for (const connection of this.connections) connection.release();
  }

  /** Holds back data of masters on the open connections. Later connections are not affected. */
  holdCommands(): void {
    for (const connection of this.connections) connection.hold('commands');
  }

  /** Forwards the data that {@link holdCommands} held back. */
  releaseCommands(): void {
    for (const connection of this.connections) connection.release();
  }

  close(): void {
    this.server.close();
    for (const connection of this.connections) connection.reset();
  }
}
