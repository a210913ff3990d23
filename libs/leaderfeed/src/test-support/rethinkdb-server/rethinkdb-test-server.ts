import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { RethinkServerSession } from './rethinkdb-session.js';
import { TestTables } from './tables.js';

/**
 * A server in this process that speaks the part of RethinkDB's protocol that leaderfeed needs: the V1_0 greeting with SCRAM, ReQL in
 * JSON, and changefeeds. It keeps its data over a restart.
 */
export class RethinkTestServer {
  private readonly tables = new TestTables();
  private readonly sockets = new Set<Socket>();
  private server: Server;

  private constructor(private readonly password: string) {
    this.server = this.create();
  }

  static async start(password = ''): Promise<RethinkTestServer> {
    const server = new RethinkTestServer(password);
    await server.listen(0);
    return server;
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
      RethinkServerSession.serve(socket, this.tables, this.password);
    });
  }

  private async listen(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }
}
