import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface TcpProxyOptions {
  /** Returns the addresses to try, in this order. Called for each connection. */
  readonly targets: () => readonly { readonly host?: string; readonly port: number }[];
  /** Called with both sides of a connection before data pass. */
  readonly onConnection?: (client: Socket, upstream: Socket) => void;
}

/**
 * Passes TCP connections on, like a load balancer in front of the replicas of an application. It does not check health: a frozen
 * process still gets connections.
 */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly options: TcpProxyOptions,
  ) {
    server.on('connection', (client) => this.pass(this.track(client), options.targets()));
  }

  /** Listens on a free port of 127.0.0.1. */
  static async start(options: TcpProxyOptions): Promise<TcpProxy> {
    const proxy = new TcpProxy(createServer(), options);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** Starts a proxy for the server of a URL, which must name the port. */
  static to(url: string, onConnection?: TcpProxyOptions['onConnection']): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const target = { host: hostname, port: Number(port) };
    return TcpProxy.start({ targets: () => [target], ...(onConnection && { onConnection }) });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns a URL of the server with the address of this proxy in place of its own. */
  through(url: string): URL {
    const proxied = new URL(url);
    proxied.hostname = '127.0.0.1';
    proxied.port = new URL(this.url).port;
    return proxied;
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private pass(client: Socket, [target, ...others]: ReturnType<TcpProxyOptions['targets']>): void {
    if (target === undefined || client.destroyed) {
      client.destroy();
      return;
    }
    const upstream = this.track(connect({ host: '127.0.0.1', ...target }));
    const next = () => this.pass(client, others);
    upstream.once('error', next);
    upstream.once('connect', () => {
      upstream.off('error', next);
      upstream.once('close', () => client.destroy());
      client.once('close', () => upstream.destroy());
      this.options.onConnection?.(client, upstream);
      client.pipe(upstream).pipe(client);
    });
  }

  /** The socket ends with the proxy. An error of a socket only closes it. */
  private track(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.setNoDelay();
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }
}
