import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FrameCounter } from './frame-counter.js';
import type { Framing } from './framing.js';

/** A proxy in front of a store that forwards everything and counts the clients' requests. */
export class CountingProxy {
  private readonly sockets = new Set<Socket>();
  private readonly counters: FrameCounter[] = [];

  private constructor(
    private readonly server: Server,
    /** URL of the store through this proxy. */
    readonly url: string,
  ) {}

  /** @param url URL of the store, with its port */
  static async to(url: string, framing: Framing): Promise<CountingProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxied = new URL(url);
    proxied.hostname = '127.0.0.1';
    proxied.port = String((server.address() as AddressInfo).port);
    // A replica set would make its clients bypass the proxy.
    if (url.startsWith('mongodb:')) proxied.searchParams.set('directConnection', 'true');
    const proxy = new CountingProxy(server, proxied.href);
    server.on('connection', (client) => proxy.join(client, connect(Number(port), hostname), framing));
    return proxy;
  }

  /** Messages so far. */
  get count(): number {
    return this.counters.reduce((sum, { count }) => sum + count, 0);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, store: Socket, framing: Framing): void {
    const counter = new FrameCounter(framing);
    this.counters.push(counter);
    client.on('data', (chunk) => counter.read(chunk));
    for (const [from, to] of [
      [client, store],
      [store, client],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay();
      from.pipe(to);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
