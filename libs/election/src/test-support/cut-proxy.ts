import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A TCP proxy that can become a black hole: connections stay open, but nothing passes any more. */
export class CutProxy {
  private readonly sockets = new Set<Socket>();
  private cutOff = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async to(port: number): Promise<CutProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new CutProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => proxy.join(client, port));
    return proxy;
  }

  /** From now on nothing passes, in neither direction. */
  cut(): void {
    this.cutOff = true;
    for (const socket of this.sockets) socket.unpipe();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, port: number): void {
    this.track(client);
    if (this.cutOff) return;
    const upstream = connect(port, '127.0.0.1');
    this.track(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
