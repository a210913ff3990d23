import { systemClock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/internal';
import type { Redis } from 'ioredis';
import type { DirectiveStore } from '../control/directive-store.js';
import type { WorkerList } from '../options/worker-list.js';
import { retryWhileUnavailable } from '../store/retry-while-unavailable.js';
import type { EventJournal } from '../state/event-journal.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { ClusterLogger } from './worker-logger.js';

export interface WorkerListUpdaterOptions {
  readonly pool: WorkerPool;
  readonly list: WorkerList;
  readonly directives: DirectiveStore;
  readonly redis: Redis;
  readonly journal: EventJournal;
  readonly logger: ClusterLogger;
  /** Other workers than before are connected to. */
  readonly onChange: (ids: readonly string[]) => void;
}

/** How long the function `workers` may hold up others. Milliseconds. */
const LIST_TIMEOUT = 1_000;

/** Keeps the pool in line with the list of workers, and with what operators want of each. */
export class WorkerListUpdater {
  private unreadable = '';
  private problem = '';
  /** A list is awaited that did not come in time. */
  private waiting = false;
  private closed = false;

  constructor(private readonly options: WorkerListUpdaterOptions) {}

  /** Rejects when Redis cannot be read. */
  async readDirectives(): Promise<void> {
    const { directives, list, redis, pool, logger } = this.options;
    const { directives: wanted, unreadable } = await retryWhileUnavailable(redis, async () => {
      await directives.prune(list.current.map(({ id }) => id));
      return await directives.readAll();
    });
    const names = unreadable.join(', ');
    if (names !== this.unreadable && names !== '')
      logger.error(`what operators want of these workers cannot be read: ${names}`);
    this.unreadable = names;
    pool.direct(wanted);
  }

  /** Never rejects, and takes about a second at most: while the list cannot be read, the last one stays in effect. */
  async readList(): Promise<void> {
    const { list, logger } = this.options;
    const timer = new AbortController();
    const read = list.refresh().then(
      () => (this.problem = ''),
      (error: Error) => {
        if (error.message !== this.problem)
          logger.error(`the list of workers cannot be read, the last one stands: ${error.message}`);
        this.problem = error.message;
      },
    );
    let inTime = true;
    await Promise.race([read, pause(LIST_TIMEOUT, systemClock, timer.signal).then(() => (inTime = false))]);
    timer.abort();
    this.take();
    if (!inTime && !this.waiting) {
      this.waiting = true;
      void read.then(() => {
        this.waiting = false;
        this.take();
      });
    }
  }

  /** No list is taken any more. */
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

  /** Lets those go that are not on the list any more and have nothing left. */
  letGo(): void {
    const { pool, journal, logger } = this.options;
    const gone = pool.letGo();
    for (const url of gone) {
      logger.log(`worker ${url} is no longer configured and has been let go`);
      journal.add({ type: 'worker-removed', url });
    }
    if (gone.length > 0) this.options.onChange(pool.ids);
  }
}
