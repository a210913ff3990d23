import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { RethinkServerSession, type TestServer } from './rethinkdb-session.js';
import { TestTables, type ServerTables } from './tables.js';

/**
 * A server in this process that speaks the part of RethinkDB's protocol that leaderfeed needs: the V1_0 handshake with SCRAM, ReQL in
 * JSON, and changefeeds. It keeps its data over a restart. Several can share their data, as the servers of a cluster.
 */
export class RethinkTestServer implements TestServer {
  clockOffset = 0;
  admin = true;
  replicaDown = false;
  feedLimit = 100_000;
  readonly tables: ServerTables;
  private readonly sockets = new Set<Socket>();
  private server: Server;

  private constructor(
    readonly password: string,
    cluster: TestTables,
    index: number,
  ) {
    this.tables = cluster.of(index);
    this.server = this.create();
  }

  static async start(password = '', cluster = new TestTables(), index = 0): Promise<RethinkTestServer> {
    const server = new RethinkTestServer(password, cluster, index);
    await server.listen(0);
    return server;
  }

  /**
   * The servers of one cluster.
   * @param lag Time until a server knows of a table that another has created. Milliseconds.
   */
  static async startCluster(size: number, lag: number): Promise<RethinkTestServer[]> {
    const cluster = new TestTables();
    cluster.lag = lag;
    return Promise.all(
      Array.from({ length: size }, (_, index) => RethinkTestServer.start('', cluster, index)),
    );
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  async restart(): Promise<void> {
    const { port } = this;
    await this.stop();
    this.server = this.create();
    await this.listen(port);
  }

  private create(): Server {
    return createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
      RethinkServerSession.serve(socket, this);
    });
  }

  private async listen(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }
}
