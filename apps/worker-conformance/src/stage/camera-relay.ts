import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const PORTS: Readonly<Record<string, number>> = { 'rtsp:': 554, 'rtsps:': 322, 'http:': 80, 'https:': 443 };

/** One address of the camera for the worker. It counts connections, and can take the camera away. */
export class CameraRelay {
  /** Connections so far. */
  opened = 0;
  private readonly sockets = new Set<Socket>();
  private cutOff = false;

  private constructor(
    private readonly server: Server,
    /** In subscriptions. */
    readonly id: string,
    /** For the worker. */
    readonly url: string,
  ) {}

  /**
   * @param camera its address, reachable from here
   * @param host under which the worker reaches this machine
   * @param secret password of the camera, unless its address has one
   */
  static async start(camera: string, id: string, host: string, secret: string): Promise<CameraRelay> {
    const target = new URL(camera);
    const server = createServer();
    await once(server.listen(0), 'listening');
    const address = new URL(camera);
    address.host = `${host}:${(server.address() as AddressInfo).port}`;
    if (address.username === '') {
      address.username = 'viewer';
      address.password = secret;
    }
    const relay = new CameraRelay(server, id, address.href);
    const port = Number(target.port) || PORTS[target.protocol]!;
    server.on('connection', (socket) => relay.connect(socket, port, target.hostname.replace(/^\[|\]$/g, '')));
    return relay;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.sockets.size;
  }

  /** Ends all connections, and every new one at once. */
  cut(): void {
    this.cutOff = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.cutOff = false;
  }

  stop(): void {
    this.cut();
    this.server.close();
  }

  private connect(socket: Socket, port: number, host: string): void {
    socket.on('error', () => undefined);
    if (this.cutOff) {
      socket.destroy();
      return;
    }
    this.opened++;
    this.sockets.add(socket);
    const camera = connect(port, host);
    camera.on('error', () => socket.destroy());
    camera.on('close', () => socket.destroy());
    socket.on('close', () => {
      this.sockets.delete(socket);
      camera.destroy();
    });
    socket.pipe(camera);
    camera.pipe(socket);
  }
}
