import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { MongoCommands } from './commands.js';
import { readCommands } from './wire.js';

/**
 * A server in this process that speaks the part of MongoDB's wire protocol that leaderfeed needs: OP_MSG, capped collections with
 * tailable cursors that wait, and `findAndModify` with a pipeline. It is a single node and keeps its data over a restart.
 */
export class MongoTestServer {
  private readonly commands = new MongoCommands();
  private readonly sockets = new Set<Socket>();
  private server: Server;

  private constructor() {
    this.server = this.create();
  }

  static async start(): Promise<MongoTestServer> {
    const server = new MongoTestServer();
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
    return createServer((socket) => this.serve(socket));
  }

  private async listen(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private serve(socket: Socket): void {
    const gone = new AbortController();
    let rest: Buffer = Buffer.alloc(0);
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      gone.abort();
      this.sockets.delete(socket);
    });
    socket.on('data', (chunk) => {
      rest = readCommands(Buffer.concat([rest, chunk]), ({ body, answer }) => {
        void this.commands
          .run(body, gone.signal)
          .then((document) => socket.writable && socket.write(answer(document)));
      });
    });
  }
}
