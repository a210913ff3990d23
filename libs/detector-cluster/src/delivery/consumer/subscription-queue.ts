import type { StreamEntry } from './stream-entry.js';

/** What waits for the callbacks of one subscription, in order: first what is in memory, then what is left in Redis. */
export class SubscriptionQueue {
  readonly entries: StreamEntry[] = [];
  /** Ids of entries that are younger than all of {@link entries}. */
  parked: string[] = [];
  /** Somebody takes entries from it. */
  running = false;
  /** A callback of it runs. */
  busy = false;
  /** Since when it has not been half empty, as far as it was full; milliseconds, monotonic. */
  fullSince: number | undefined;
  fetching = false;

  get idle(): boolean {
    return !this.running && !this.fetching && this.entries.length === 0 && this.parked.length === 0;
  }
}
