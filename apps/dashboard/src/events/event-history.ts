import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { signal } from '@preact/signals';
import type { EventsAnswer, EventsQuery } from '../api/cluster-types.js';

/** An answer holds at most this many events. */
const PAGE = 1_000;

/** An id before every event. */
const BEGINNING = '0-0';

/**
 * Events older than those of the feed: at first the newest thousand, then all others at once, or all since an instant.
 */
export class EventHistory {
  /** Oldest first. */
  readonly events = signal<readonly EventItem[]>([]);
  /** Whether no older events exist. */
  readonly complete = signal(false);

  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly ask: (query: EventsQuery) => Promise<EventsAnswer>) {}

  /** Reads older events. Rejects if the service fails; known events stay. */
  loadOlder(): Promise<void> {
    return this.oneByOne(async () => {
      if (this.complete.value) return;
      if (this.events.value.length === 0) return this.loadNewest();
      await this.loadAfter(BEGINNING);
      this.complete.value = true;
    });
  }

  /** Reads all events since an instant, in milliseconds since 1970. Rejects as {@link loadOlder}. */
  loadSince(since: number): Promise<void> {
    return this.oneByOne(async () => {
      const start = `${Math.max(0, Math.floor(since))}-0`;
      const [oldest] = this.events.value;
      const known = oldest !== undefined && compareEventIds(oldest.eventId, start) <= 0;
      if (!this.complete.value && !known) await this.loadAfter(start);
    });
  }

  /** A second reading would not know what the first one is about to add. */
  private oneByOne(work: () => Promise<void>): Promise<void> {
    this.reading = this.reading.catch(() => undefined).then(work);
    return this.reading;
  }

  private async loadNewest(): Promise<void> {
    const { items } = await this.ask({ limit: PAGE });
    this.events.value = items;
    this.complete.value = items.length < PAGE;
  }

  private async loadAfter(after: string): Promise<void> {
    const oldest = this.events.value[0]?.eventId;
    const older: EventItem[] = [];
    for (let cursor: string | null = null; ;) {
      const next = cursor === null ? {} : { cursor };
      const { items, nextCursor }: EventsAnswer = await this.ask({ after, limit: PAGE, ...next });
      const known =
        oldest === undefined ? -1 : items.findIndex(({ eventId }) => compareEventIds(eventId, oldest) >= 0);
      older.push(...(known === -1 ? items : items.slice(0, known)));
      if (known !== -1 || nextCursor === null) break;
      cursor = nextCursor;
    }
    this.events.value = [...older, ...this.events.value];
  }
}

/** Merges both lists, oldest first, without duplicates. */
export function mergeEvents(older: readonly EventItem[], newer: readonly EventItem[]): readonly EventItem[] {
  const [first] = newer;
  if (first === undefined) return older;
  // Nearly all older events precede the first new one, so only the rest is sorted.
  const before = older.filter(({ eventId }) => compareEventIds(eventId, first.eventId) < 0);
  const rest = [...older.slice(before.length), ...newer];
  const byId = new Map(rest.map((event) => [event.eventId, event]));
  return [...before, ...Array.from(byId.values()).sort((a, b) => compareEventIds(a.eventId, b.eventId))];
}

/** Ids are `<milliseconds>-<number>`. */
export function compareEventIds(a: string, b: string): number {
  const [aTime = 0, aNumber = 0] = a.split('-').map(Number);
  const [bTime = 0, bNumber = 0] = b.split('-').map(Number);
  return aTime - bTime || aNumber - bNumber;
}
