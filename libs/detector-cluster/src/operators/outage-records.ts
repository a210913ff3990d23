import type { ClusterEvent } from '../shared/cluster-event.js';
import { OneByOne } from '../shared/one-by-one.js';
import { redactText } from '../shared/redact-url.js';
import type { RedisOutage } from '../shared/redis-watch.js';
import type { EventJournal } from './event-journal.js';
import type { EventHistory } from './event-history.js';

/** How many of the latest events a master reads to find earlier outages. */
const READ = 1_000;

/** The clocks of two processes differ by at most this. Milliseconds. */
const CLOCK_DIFFERENCE = 5_000;

/** Maximum recorded length of an error. Characters. */
const MAX_ERROR_LENGTH = 300;

/** An outage of Redis, and the process that noticed it. */
export interface NoticedOutage extends RedisOutage {
  readonly processId: string;
}

export interface OutageRecordsOptions {
  readonly journal: Pick<EventJournal, 'add'>;
  readonly history: Pick<EventHistory, 'list'>;
}

/** Records the outages of Redis and of the database, each once, although its master may change during it. */
export class OutageRecords {
  /** When the database became unavailable, as recorded (ISO 8601); null while it is available. */
  private databaseSince: string | null = null;
  /** Outages of Redis that this term has recorded: the history has them a moment later. */
  private readonly recorded: NoticedOutage[] = [];
  /** Each record waits for those before it, so that the order is kept. */
  private readonly records = new OneByOne();

  constructor(private readonly options: OutageRecordsOptions) {}

  /** Continues where the predecessor stopped. */
  start(): void {
    this.next(async () => {
      const events = await this.options.history.list({ limit: READ });
      const outage = events.findLast(isOfDatabase);
      this.databaseSince = outage?.type === 'database-unavailable' ? outage.at : null;
    });
  }

  /** Redis did not answer a process for a time, and answers it again. */
  redis(outage: NoticedOutage): void {
    this.next(async () => {
      const { history, journal } = this.options;
      const events = await history.list({ limit: READ }).catch(() => []);
      const known = [...events.flatMap((event) => outageOf(event) ?? []), ...this.recorded];
      if (known.some((other) => isSame(other, outage))) return;
      this.recorded.push(outage);
      const { processId, since, until } = outage;
      const times = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
      journal.add({ type: 'redis-unavailable', processId, ...times });
    });
  }

  /** The desired state could not be read from its source. */
  databaseFailed(error: Error): void {
    const at = new Date().toISOString();
    this.next(() => {
      if (this.databaseSince !== null) return;
      this.databaseSince = at;
      this.options.journal.add({ type: 'database-unavailable', problem: problemOf(error) }, at);
    });
  }

  /** It was read. */
  databaseRead(): void {
    this.next(() => {
      const since = this.databaseSince;
      if (since === null) return;
      this.databaseSince = null;
      this.options.journal.add({ type: 'database-available', since });
    });
  }

  private next(work: () => unknown): void {
    this.records.run(work).catch(() => undefined);
  }
}

function isOfDatabase({ type }: ClusterEvent): boolean {
  return type === 'database-unavailable' || type === 'database-available';
}

function outageOf(event: ClusterEvent): NoticedOutage | null {
  if (event.type !== 'redis-unavailable') return null;
  const { processId, since, until } = event;
  return { processId, since: Date.parse(since), until: Date.parse(until) };
}

/** Whether both are one outage, as two processes or two terms of one process noticed it. */
function isSame(a: NoticedOutage, b: NoticedOutage): boolean {
  const difference = a.processId === b.processId ? 0 : CLOCK_DIFFERENCE;
  return a.since <= b.until + difference && a.until >= b.since - difference;
}

/** One line: errors of Prisma end with their reason. */
function problemOf({ message }: Error): string {
  const line = message.trim().split('\n').at(-1)!;
  return redactText(line).slice(0, MAX_ERROR_LENGTH);
}
