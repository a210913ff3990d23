import { settlesWithin, UnreadableFields } from '@detector-cluster/election/internal';
import type { Redis } from 'ioredis';
import type { DirectiveStore } from '../workers/directive-store.js';
import type { WorkerList } from '../workers/worker-list.js';
import { retryWhileUnavailable } from '../shared/retry-while-unavailable.js';
import type { EventJournal } from '../operators/event-journal.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { ClusterLogger } from '../operators/worker-logger.js';

export interface WorkerListUpdaterOptions {
  readonly pool: WorkerPool;
  readonly list: WorkerList;
  readonly directives: DirectiveStore;
  readonly redis: Redis;
  readonly journal: EventJournal;
  readonly logger: ClusterLogger;
  /** The set of connected workers has changed. */
  readonly onChange: (ids: readonly string[]) => void;
}

/** How long the function `workers` may delay other work. Milliseconds. */
const LIST_TIMEOUT = 1_000;

/** Keeps the pool in line with the worker list and with the operators' directives. */
export class WorkerListUpdater {
  private readonly unreadable: UnreadableFields;
  private problem = '';
  /** A late list is still awaited. */
  private waiting = false;
  private closed = false;

  constructor(private readonly options: WorkerListUpdaterOptions) {
    const { directives, logger } = options;
    this.unreadable = new UnreadableFields(directives.key, (message) => logger.error(message));
  }

  /** Rejects when Redis cannot be read. */
  async readDirectives(): Promise<void> {
    const { directives, list, redis, pool } = this.options;
    const { directives: wanted, unreadable } = await retryWhileUnavailable(redis, () =>
      directives.readAll(list.current.map(({ id }) => id)),
    );
    this.unreadable.note(unreadable);
    pool.direct(wanted);
  }

  /** Never rejects, and takes about a second at most: while the list cannot be read, the last one stays in effect. */
  async readList(): Promise<void> {
    const { list, logger } = this.options;
    const read = list.refresh().then(
      () => (this.problem = ''),
      (error: Error) => {
        if (error.message !== this.problem)
          logger.error(`the list of workers cannot be read, the last one stands: ${error.message}`);
        this.problem = error.message;
      },
    );
    const inTime = await settlesWithin(read, LIST_TIMEOUT);
    this.take();
    if (!inTime && !this.waiting) {
      this.waiting = true;
      void read.then(() => {
        this.waiting = false;
        this.take();
      });
    }
  }

  /** Applies no further list. */
  close(): void {
    this.closed = true;
  }

  private take(): void {
    if (this.closed) return;
    const { list, pool, journal } = this.options;
    const added = pool.setWorkers(list.current);
    for (const url of added) journal.add({ type: 'worker-added', url });
    if (added.length > 0) this.options.onChange(pool.ids);
  }

  /** Disconnects workers that are no longer on the list and have nothing left. */
  letGo(): void {
    const { pool, journal, logger } = this.options;
    const gone = pool.letGo();
    for (const url of gone) {
      logger.log(`worker ${url} is no longer configured and has been disconnected`);
      journal.add({ type: 'worker-removed', url });
    }
    if (gone.length > 0) this.options.onChange(pool.ids);
  }
}
