import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * One address for several processes of this machine, like the load balancer in front of the replicas of an application.
 * It passes TCP connections on and does not check health: a frozen process still gets connections.
 */
export class LoadBalancer {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** Ports in the order in which they are tried. */
    private readonly targets: () => readonly number[],
  ) {
    server.on('connection', (client) => this.pass(this.track(client), this.targets()));
  }

  /**
   * Listens on a free port.
   * @param targets Called for each connection: the ports to try, in this order
   */
  static async start(targets: () => readonly number[]): Promise<LoadBalancer> {
    const balancer = new LoadBalancer(createServer(), targets);
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private pass(client: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined || client.destroyed) {
      client.destroy();
      return;
    }
    const upstream = this.track(connect(port, '127.0.0.1'));
    const next = () => this.pass(client, others);
    upstream.once('error', next);
    upstream.once('connect', () => {
      upstream.off('error', next);
      upstream.once('close', () => client.destroy());
      client.once('close', () => upstream.destroy());
      client.pipe(upstream).pipe(client);
    });
  }

  /** Ends with the balancer. An error of a socket only closes it. */
  private track(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }
}
