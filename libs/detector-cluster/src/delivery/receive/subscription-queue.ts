import type { HeldEntry } from './held-log.js';
import type { DecodedEntry } from './entry-handler.js';

/** What waits for the callbacks of one subscription, in order: first what is in memory, then what is left in Redis. */
export class SubscriptionQueue {
  readonly entries: DecodedEntry[] = [];
  /** Entries that are younger than all of {@link entries}, without their messages. */
  parked: Omit<HeldEntry, 'message'>[] = [];
  /** Entries are being taken from it. */
  running = false;
  /** A callback of it runs. */
  busy = false;
  /** Since when it has not been half empty, if it was full; milliseconds, monotonic. */
  fullSince: number | undefined;
  fetching = false;

  get idle(): boolean {
    return !this.running && !this.fetching && this.entries.length === 0 && this.parked.length === 0;
  }
}
