import type { EventItem } from '@detector-cluster/dashboard-protocol';
import type { RecordedClusterEvent } from '@detector-cluster/detector-cluster';

/** How many are kept for a page that opens later. */
const KEPT = 200;

/** Maximum number that is read at once; the others follow. */
const MAX_READ = 500;

type ListEvents = (page: {
  readonly after?: string;
  readonly limit: number;
}) => Promise<RecordedClusterEvent[]>;

/** Follows the history of the cluster to its end. */
export class EventLog {
  private newest: readonly EventItem[] = [];
  private fresh: EventItem[] = [];
  private last: string | null = null;

  constructor(private readonly list: ListEvents) {}

  /** Rejects if the list cannot be read. The next call continues where this one stopped. */
  async read(): Promise<void> {
    const events = await this.list(
      this.last === null ? { limit: KEPT } : { after: this.last, limit: MAX_READ },
    );
    this.fresh.push(...events);
    this.last = events.at(-1)?.eventId ?? this.last;
  }

  /** The items that were read since the last call, oldest first. */
  next(): readonly EventItem[] {
    const events = this.fresh;
    this.newest = [...this.newest, ...events].slice(-KEPT);
    this.fresh = [];
    return events;
  }

  /** The newest items that {@link next} has returned, oldest first. */
  get past(): readonly EventItem[] {
    return this.newest;
  }
}
