import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { signal } from '@preact/signals';
import type { EventsAnswer, EventsQuery } from '../api/cluster-types.js';

/** Alerts count the events of this time. Milliseconds. */
export const COUNTED_TIME = 3_600_000;

const TYPES = [
  'master-acquired',
  'camera-moved',
  'camera-move-failed',
  'worker-online',
  'worker-offline',
  'worker-quarantined',
];

/** An answer holds at most this many events. */
const PAGE = 1_000;

/** The events that alerts need. A page that was just opened has only few of them from the feed. */
export class AlertEvents {
  /** Oldest first. */
  readonly events = signal<readonly EventItem[]>([]);

  constructor(private readonly ask: (query: EventsQuery) => Promise<EventsAnswer>) {}

  /**
   * Reads the events of the last hour. Never rejects: if the service fails, the known events stay.
   * @param now milliseconds since 1970, by the clock of the service
   */
  async load(now: number): Promise<void> {
    const query = { type: TYPES.join(), from: new Date(now - COUNTED_TIME).toISOString(), limit: PAGE };
    let events: readonly EventItem[] = [];
    try {
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: EventsAnswer = await this.ask({ ...query, ...(cursor !== undefined && { cursor }) });
        // Each page is older than the one before.
        events = [...page.items, ...events];
        cursor = page.nextCursor;
      }
    } catch {
      return;
    }
    this.events.value = events;
  }
}
