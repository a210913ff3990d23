import { settlesWithin } from '@detector-cluster/election/internal';

/** The part of a Prisma client that makes interactive transactions. Only open parameters match its overloads. */
export interface TransactionClient {
  $transaction?: (...args: never[]) => PromiseLike<unknown>;
}

type InteractiveTransaction<R> = (
  work: (reader: R) => Promise<void>,
  options: { isolationLevel: 'RepeatableRead'; maxWait: number; timeout: number },
) => Promise<void>;

/**
 * Prisma limits a transaction as a whole, and how long very many pages take is not known. So its limit is out of reach, and each page has
 * one. Timers of Node take at most 24.8 days.
 */
const WHOLE_TRANSACTION = 86_400_000;

/** One snapshot of a database, which is read in several steps: an interactive transaction that stays open between calls. */
export class DatabaseSnapshot<R> {
  private constructor(
    private readonly reader: R,
    private readonly timeout: number,
    private readonly end: (error?: Error) => void,
  ) {}

  /**
   * A client without transactions has no snapshots, and each step sees the present.
   * @param maxWait how long to wait for a connection. Milliseconds
   * @param timeout how long a step may take. Milliseconds
   */
  static open<R extends TransactionClient>(
    client: R,
    maxWait: number,
    timeout: number,
  ): Promise<DatabaseSnapshot<R>> {
    const transaction = client.$transaction as InteractiveTransaction<R> | undefined;
    return new Promise((resolve, reject) => {
      if (transaction === undefined) {
        resolve(new DatabaseSnapshot(client, timeout, () => undefined));
        return;
      }
      const work = (reader: R) =>
        new Promise<void>((commit, rollBack) => {
          const end = (error?: Error) => (error === undefined ? commit() : rollBack(error));
          resolve(new DatabaseSnapshot(reader, timeout, end));
        });
      // Once it is open, a failure shows in the steps, and the end of a transaction that wrote nothing does not matter.
      transaction
        .call(client, work, { isolationLevel: 'RepeatableRead', maxWait, timeout: WHOLE_TRANSACTION })
        .then(undefined, reject);
    });
  }

  /** Rejects, and gives the snapshot up, if the step takes too long. */
  async read<T>(step: (reader: R) => PromiseLike<T>): Promise<T> {
    const answer = Promise.resolve(step(this.reader));
    if (await settlesWithin(answer, this.timeout)) return await answer;
    const error = new Error(`the database has not answered within ${this.timeout} ms`);
    this.end(error);
    throw error;
  }

  /** Ends the transaction; does not wait for the database. */
  close(): void {
    this.end();
  }
}
