import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PhraseCounter } from './phrase-counter.js';

/** Monotonic milliseconds. */
export interface TransactionTimes {
  readonly begin: number;
  /** Null while it is open. */
  end: number | null;
}

/** Forwards everything between clients and a Postgres server, and records the transactions that begin with a phrase. */
export class TransactionRecorder {
  /** In the order of their begin. */
  readonly transactions: TransactionTimes[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly databaseUrl: string,
    private readonly phrase: string,
  ) {
    const { hostname, port } = new URL(databaseUrl);
    server.on('connection', (client) => {
      const upstream = connect(Number(port || 5432), hostname);
      client.on('data', this.recorder());
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

  static async start(databaseUrl: string, phrase: string): Promise<TransactionRecorder> {
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TransactionRecorder(server, databaseUrl, phrase);
  }

  get count(): number {
    return this.transactions.length;
  }

  /** Address of the database through this recorder. */
  get url(): string {
    const url = new URL(this.databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Reads the messages of one client. */
  private recorder(): (data: Buffer) => void {
    const begins = new PhraseCounter(this.phrase);
    const ends = ['COMMIT', 'ROLLBACK'].map((phrase) => new PhraseCounter(phrase));
    const counted = () => ends.reduce((sum, { count }) => sum + count, 0);
    let open: TransactionTimes | null = null;
    return (data) => {
      const text = data.toString('latin1');
      const [begun, ended] = [begins.count, counted()];
      begins.add(text);
      for (const end of ends) end.add(text);
      if (open !== null && counted() > ended) {
        open.end = performance.now();
        open = null;
      }
      if (begins.count > begun) this.transactions.push((open = { begin: performance.now(), end: null }));
    };
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
