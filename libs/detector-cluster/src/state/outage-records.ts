import type { RecordedClusterEvent } from '../model/cluster-event.js';
import { redactText } from '../redact/redact-url.js';
import type { RedisOutage } from '../store/redis-watch.js';
import type { EventHistory, EventJournal } from './event-journal.js';

/** How many of the latest events a master reads to find earlier outages. */
const READ = 1_000;

/** The clocks of two processes differ by at most this. Milliseconds. */
const CLOCK_DIFFERENCE = 5_000;

/** Maximum recorded length of an error. Characters. */
const MOST = 300;

export interface OutageRecordsOptions {
  readonly journal: Pick<EventJournal, 'add'>;
  readonly history: Pick<EventHistory, 'list'>;
  readonly processId: string;
}

/** Records the outages of Redis and of the database, each once, although its master may change during it. */
export class OutageRecords {
  /** When the database became unavailable, as recorded (ISO 8601); null while it is available. */
  private databaseSince: string | null = null;
  /** Each record waits for those before it, so that the order is kept. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: OutageRecordsOptions) {}

  /** Continues where the predecessor stopped. */
  start(): void {
    this.next(async () => {
      const events = await this.options.history.list({ limit: READ });
      const outage = events.findLast(isOfDatabase);
      this.databaseSince = outage?.type === 'database-unavailable' ? outage.at : null;
    });
  }

  /** Redis did not answer this process for a time, and answers again. */
  redis({ since, until }: RedisOutage): void {
    this.next(async () => {
      const { history, journal, processId } = this.options;
      const known = await history.list({ limit: READ }).catch(() => []);
      if (known.some((event) => covers(event, since, until, processId))) return;
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
    this.last = this.last.then(work).catch(() => undefined);
  }
}

function isOfDatabase({ type }: RecordedClusterEvent): boolean {
  return type === 'database-unavailable' || type === 'database-available';
}

/** Whether an event already records an outage, as another process or an earlier term of this one saw it. */
function covers(event: RecordedClusterEvent, since: number, until: number, processId: string): boolean {
  if (event.type !== 'redis-unavailable') return false;
  const difference = event.processId === processId ? 0 : CLOCK_DIFFERENCE;
  return Date.parse(event.since) <= until + difference && Date.parse(event.until) >= since - difference;
}

/** One line: errors of Prisma end with their reason. */
function problemOf({ message }: Error): string {
  const line = message.trim().split('\n').at(-1)!;
  return redactText(line).slice(0, MOST);
}
