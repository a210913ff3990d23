import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PhraseCounter } from './phrase-counter.js';

/** Stands between clients and a Postgres server, hands everything on, and counts how often they send a phrase. */
export class StatementCounter {
  private readonly counters: PhraseCounter[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly databaseUrl: string,
    private readonly phrase: string,
  ) {
    const { hostname, port } = new URL(databaseUrl);
    server.on('connection', (client) => {
      const upstream = connect(Number(port || 5432), hostname);
      const counter = new PhraseCounter(this.phrase);
      this.counters.push(counter);
      client.on('data', (data) => counter.add(data.toString('latin1')));
      client.pipe(upstream).pipe(client);
      for (const socket of [client, upstream]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
    });
  }

  static async start(databaseUrl: string, phrase: string): Promise<StatementCounter> {
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StatementCounter(server, databaseUrl, phrase);
  }

  get count(): number {
    return this.counters.reduce((sum, { count }) => sum + count, 0);
  }

  /** The database's address, through here. */
  get url(): string {
    const url = new URL(this.databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
