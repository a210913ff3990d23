import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A TCP proxy in front of a server, by default on this machine, that can be slow, or become a black hole, or vanish. */
export class CutProxy {
  /** Delay of the server's answers. Milliseconds. */
  delay = 0;
  /** Time before a new connection reaches the server. Milliseconds. */
  connectDelay = 0;
  private readonly sockets = new Set<Socket>();
  private cutOff = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
    /** Port of the server that new connections reach. */
    public target: number,
  ) {}

  static async to(port: number, host = '127.0.0.1'): Promise<CutProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new CutProxy(server, (server.address() as AddressInfo).port, port);
    server.on('connection', (client) => {
      if (proxy.connectDelay === 0) proxy.join(client, host);
      else setTimeout(() => proxy.join(client, host), proxy.connectDelay).unref();
    });
    return proxy;
  }

  /** From now on nothing passes, in neither direction; connections stay open. */
  cut(): void {
    this.cutOff = true;
  }

  /** Undoes {@link cut}. Data dropped in between stays lost. */
  mend(): void {
    this.cutOff = false;
  }

  /** Closes all connections, and takes others. */
  cutOnce(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Closes all connections and takes no others: to the server it looks as if the client's process had died. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, host: string): void {
    this.track(client);
    if (this.cutOff) return;
    const upstream = connect(this.target, host);
    this.track(upstream);
    client.on('data', (chunk) => this.pass(chunk, upstream));
    upstream.on('data', (chunk) => {
      if (this.delay === 0) this.pass(chunk, client);
      // Timers of the same length fire in the order in which they were set.
      else setTimeout(() => this.pass(chunk, client), this.delay).unref();
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }

  private pass(chunk: Buffer, to: Socket): void {
    if (!this.cutOff && to.writable) to.write(chunk);
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
