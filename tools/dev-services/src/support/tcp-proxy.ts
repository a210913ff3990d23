import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface Target {
  readonly host?: string;
  readonly port: number;
}

export interface TcpProxyOptions {
  /** Returns the addresses to try, in this order. Called for each connection. */
  readonly targets: () => readonly Target[];
  /** Called with both sides of a connection before data pass. */
  readonly onConnection?: (client: Socket, upstream: Socket) => void;
}

/**
 * Passes TCP connections on, like a load balancer in front of the replicas of an application. It does not check health: a frozen
 * process still gets connections. It can be slow, become a black hole, or vanish.
 */
export class TcpProxy {
  /** Delay of the answers. Milliseconds. */
  delay = 0;
  /** Time before a new connection is passed on. Milliseconds. */
  connectDelay = 0;
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly options: TcpProxyOptions,
  ) {
    server.on('connection', (socket) => {
      const client = this.track(socket);
      later(this.connectDelay, () => this.pass(client, options.targets()));
    });
  }

  /** Listens on a free port of 127.0.0.1. */
  static async start(options: TcpProxyOptions): Promise<TcpProxy> {
    const proxy = new TcpProxy(createServer(), options);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /**
   * Starts a proxy for one server.
   * @param server its URL, which must name the port, or its address, or its port on this machine
   */
  static to(
    server: string | number | Target,
    onConnection?: TcpProxyOptions['onConnection'],
  ): Promise<TcpProxy> {
    const target = targetOf(server);
    return TcpProxy.start({ targets: () => [target], ...(onConnection && { onConnection }) });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns a URL of the server with the address of this proxy in place of its own. */
  through(url: string): URL {
    const proxied = new URL(url);
    proxied.hostname = '127.0.0.1';
    proxied.port = String(this.port);
    return proxied;
  }

  /** From now on nothing passes, in neither direction; connections stay open. */
  cut(): void {
    this.isCut = true;
  }

  /** Undoes {@link cut}. Data dropped in between stays lost. */
  mend(): void {
    this.isCut = false;
  }

  /** Closes all connections, and takes others. */
  cutOnce(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Closes all connections and takes no others: to the server it looks as if the client's process had died. */
  async stop(): Promise<void> {
    this.cutOnce();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(client: Socket, [target, ...others]: ReturnType<TcpProxyOptions['targets']>): void {
    if (this.isCut) return;
    if (target === undefined || client.destroyed) {
      client.destroy();
      return;
    }
    const upstream = this.track(connect({ host: '127.0.0.1', ...target }));
    const next = () => this.pass(client, others);
    upstream.once('error', next);
    upstream.once('connect', () => {
      upstream.off('error', next);
      if (client.destroyed) {
        upstream.destroy();
        return;
      }
      upstream.once('close', () => client.destroy());
      client.once('close', () => upstream.destroy());
      this.options.onConnection?.(client, upstream);
      this.forward(client, upstream, () => 0);
      this.forward(upstream, client, () => this.delay);
    });
  }

  /** Timers of the same length fire in the order in which they were set. */
  private forward(from: Socket, to: Socket, delay: () => number): void {
    from.on('data', (chunk) =>
      later(delay(), () => {
        if (this.isCut || !to.writable || to.write(chunk)) return;
        from.pause();
        to.once('drain', () => from.resume());
      }),
    );
    from.on('end', () =>
      later(delay(), () => {
        if (!this.isCut) to.end();
      }),
    );
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

function later(ms: number, action: () => void): void {
  if (ms === 0) action();
  else setTimeout(action, ms).unref();
}

function targetOf(server: string | number | Target): Target {
  if (typeof server === 'number') return { port: server };
  if (typeof server === 'object') return server;
  const { hostname, port } = new URL(server);
  return { host: hostname, port: Number(port) };
}
