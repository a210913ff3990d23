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

/** After a read that takes longer than this, the next one always follows after 500 ms. Milliseconds. */
const MAX_COUNTED = 100;

/**
 * Percent of the time between the first and the last start that was spent on reading. The last transaction does not count,
 * because the pause after it is unknown. 0 with fewer than two transactions.
 */
export function readingPercent(transactions: readonly TransactionTimes[]): number {
  const before = transactions.slice(0, -1);
  const [first, last] = [transactions[0], transactions.at(-1)];
  if (before.length === 0 || first === undefined || last === undefined) return 0;
  const reading = before.reduce(
    (sum, { begin, end }) => sum + Math.min((end ?? last.begin) - begin, MAX_COUNTED),
    0,
  );
  return Math.round((100 * reading) / Math.max(1, last.begin - first.begin));
}
