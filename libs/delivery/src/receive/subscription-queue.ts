import type { DecodedEntry, HeldEntry, HeldLog } from './held-log.js';

/** The entries that wait for the callbacks of one subscription, in order: first those in memory, then those in Redis. */
export class SubscriptionQueue {
  readonly entries: DecodedEntry[] = [];
  /** Entries that are younger than all of {@link entries}, without their messages. */
  parked: HeldEntry[] = [];
  /** A callback of it runs. */
  running = false;
  /** Since when it has not been half empty, if it was full; milliseconds, monotonic. */
  fullSince: number | undefined;
  fetching = false;

  constructor(
    readonly log: HeldLog,
    readonly subscriptionIdentifier: string,
  ) {}

  get idle(): boolean {
    return !this.running && !this.fetching && this.entries.length === 0 && this.parked.length === 0;
  }
}
