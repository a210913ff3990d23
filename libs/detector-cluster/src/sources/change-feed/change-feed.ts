import { systemClock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/internal';
import { parseChangedRows, type ChangedRows } from '../changed-rows.js';
import { fullJitter } from '../../shared/intervals.js';
import type { ChangeFeedOptions } from './change-feed-settings.js';
import { FeedConnection, type InstallationProblem, type PgModule } from './feed-connection.js';

export type ChangeFeedEvent =
  | /** It listens, for the first time or again. */ { readonly type: 'listening' }
  | /** It receives nothing until the next attempt, in `retryIn` ms. */ {
      readonly type: 'lost';
      readonly error: Error;
      readonly retryIn: number;
    }
  | /** The problem of the triggers has changed; null: there is none any more. */ {
      readonly type: 'installation';
      readonly problem: InstallationProblem;
    };

export interface ChangeFeedHandlers {
  /**
   * The database has changed, or may have changed unnoticed. Called at least once for each transaction, and once after each `LISTEN`.
   * @param rows all rows that have changed; null: any
   */
  onChange(reason: 'change-feed' | 'change-feed-connected', rows: ChangedRows | null): void;
  onEvent(event: ChangeFeedEvent): void;
}

/** Listens to the database on its own connection, and reconnects while it runs. */
export class ChangeFeed {
  private readonly abort = new AbortController();
  private readonly probeInterval: number;
  private connection: FeedConnection | null = null;
  private running: Promise<void> | null = null;
  private problem: InstallationProblem | undefined;

  constructor(
    private readonly pg: PgModule,
    private readonly options: ChangeFeedOptions,
    private readonly handlers: ChangeFeedHandlers,
  ) {
    this.probeInterval = options.probeInterval ?? 5_000;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Stops permanently and makes no further calls. Resolves when the connection is closed. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.connection?.close();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.abort;
    for (let failures = 0; !signal.aborted; failures++) {
      const since = performance.now();
      const connection = (this.connection = this.dial());
      const error = await this.attend(connection);
      connection.destroy();
      if (signal.aborted) return;
      if (performance.now() - since > this.probeInterval) failures = 0;
      const retryIn = fullJitter(failures, { base: 200, cap: 5_000 });
      this.handlers.onEvent({ type: 'lost', error, retryIn });
      await pause(retryIn, systemClock, signal);
    }
  }

  private dial(): FeedConnection {
    return new FeedConnection(this.pg, this.options, (payload) =>
      this.changed('change-feed', parseChangedRows(payload)),
    );
  }

  /** Resolves with the reason why the connection ended, or once this feed is stopped. */
  private async attend(connection: FeedConnection): Promise<Error> {
    const finished = new AbortController();
    const over = AbortSignal.any([this.abort.signal, finished.signal]);
    // `pg` never settles a connect() whose client is ended in the meantime, so nothing here waits only for the work.
    const stopped = new Promise<Error>((resolve) => {
      over.addEventListener('abort', () => resolve(new Error('stopped')), { once: true });
    });
    const failed = this.listen(connection, over).then(
      () => new Error('stopped'),
      (error: unknown) => error as Error,
    );
    const error = await Promise.race([connection.ended, failed, stopped]);
    finished.abort();
    return error;
  }

  private async listen(connection: FeedConnection, over: AbortSignal): Promise<void> {
    await connection.open();
    if (over.aborted) return;
    // PostgreSQL queues nothing for an absent listener, so the master reads the database once more.
    this.handlers.onEvent({ type: 'listening' });
    this.changed('change-feed-connected', null);
    while (!over.aborted) {
      this.noteProblem(await connection.probe());
      await pause(this.probeInterval, systemClock, over);
    }
  }

  private changed(...change: Parameters<ChangeFeedHandlers['onChange']>): void {
    if (!this.abort.signal.aborted) this.handlers.onChange(...change);
  }

  private noteProblem(problem: InstallationProblem): void {
    if (problem === this.problem || this.abort.signal.aborted) return;
    const first = this.problem === undefined;
    this.problem = problem;
    if (problem !== null || !first) this.handlers.onEvent({ type: 'installation', problem });
  }
}
