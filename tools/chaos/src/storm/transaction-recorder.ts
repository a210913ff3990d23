import { TcpProxy } from '@detector-cluster/dev-services';
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
  /** Address of the database through this recorder. */
  url = '';
  private proxy!: TcpProxy;

  private constructor(private readonly phrase: string) {}

  static async start(databaseUrl: string, phrase: string): Promise<TransactionRecorder> {
    const recorder = new TransactionRecorder(phrase);
    recorder.proxy = await TcpProxy.to(databaseUrl, (client) => client.on('data', recorder.recorder()));
    recorder.url = recorder.proxy.through(databaseUrl).href;
    return recorder;
  }

  get count(): number {
    return this.transactions.length;
  }

  close(): Promise<void> {
    return this.proxy.stop();
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
}
