import { connect, createServer } from 'node:net';
import type { DialMeter } from './dial-meter.js';
import { FrontServer } from './front-server.js';
import { type Direction, LinkConnection } from './link-connection.js';

export interface LinkOptions {
  /** Additional delay of the server's first bytes on each connection, like a long distance. Milliseconds. */
  readonly handshakeDelay?: number;
  /** Counts connections from their arrival to the server's first bytes. */
  readonly dials?: DialMeter;
}

/** The network in front of one server. Forwards every byte unless a test changes that. */
export class NetworkLink extends FrontServer {
  private readonly connections = new Set<LinkConnection>();
  private away: readonly Direction[] = [];

  /** @param serverPort on this machine */
  constructor(serverPort: number, options: LinkOptions = {}) {
    super(createServer({ noDelay: true }), serverPort);
    this.server.on('connection', (client) => {
      const connection = new LinkConnection(client, connect(serverPort, '127.0.0.1'), options);
      this.connections.add(connection);
      connection.onClosed = () => this.connections.delete(connection);
      connection.hold(...this.away);
    });
  }

  /** Connections that their client has not ended. */
  get open(): number {
    return [...this.connections].filter(({ isOpen }) => isOpen).length;
  }

  /** Bytes of clients that are being held back. */
  get heldBytes(): number {
    return [...this.connections].reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  }

  /** Resets every connection, and returns how many there were. */
  cut(): number {
    const { size } = this.connections;
    for (const connection of this.connections) connection.reset();
    return size;
  }

  /** Breaks every connection in the middle of what the server sends next, and returns how many there are. */
  tear(): number {
    for (const connection of this.connections) connection.tear();
    return this.connections.size;
  }

  /** From now on nothing gets through in these directions, not even the end of a connection; on new connections neither. */
  vanish(...directions: readonly Direction[]): void {
    this.away = directions.length > 0 ? directions : ['there', 'back'];
    for (const connection of this.connections) connection.hold(...this.away);
  }

  /** The server ends every connection, and its machine disappears from the network at the same time: no client hears of that. */
  disappear(): void {
    this.vanish();
    for (const connection of this.connections) connection.loseServer();
  }

  /** Ends {@link vanish}: what was sent in the meantime arrives. */
  reappear(): void {
    this.away = [];
    for (const connection of this.connections) connection.release();
  }

  /** Holds back what clients send on the open connections, until {@link reappear}. Later connections are not affected. */
  holdBack(): void {
    for (const connection of this.connections) connection.hold('there');
  }

  close(): void {
    this.server.close();
    for (const connection of this.connections) connection.reset();
  }
}
