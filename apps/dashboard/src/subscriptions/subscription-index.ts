import type { Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { subscriptionEntry, type SubscriptionEntry } from './subscription-entry.js';
import { filterPasses, type SubscriptionFilter } from './subscription-filter.js';
import { SortedList } from './sorted-list.js';
import { compareBy, STATUSES, type SubscriptionSort } from './subscription-sort.js';

/** What the table shows. */
export interface SubscriptionList {
  readonly entries: readonly SubscriptionEntry[];
  /** How many there are without a filter. */
  readonly total: number;
  /** How many of each status pass the rest of the filter. */
  readonly statuses: Readonly<Record<SubscriptionRow['status'], number>>;
  /** How many of each worker pass the rest of the filter; workers with none at 0. Empty URL: without a worker. */
  readonly workers: ReadonlyMap<string, number>;
}

/** Follows the rows of the feed; what a patch leaves alone is neither read nor sorted again. */
export class SubscriptionIndex {
  private rows: Rows<SubscriptionRow> = {};
  private readonly entries = new Map<string, SubscriptionEntry>();
  private readonly sorted: SortedList<SubscriptionEntry>;

  constructor(private sort: SubscriptionSort) {
    this.sorted = new SortedList(compareBy(sort));
  }

  /** Takes the rows as they are now. A row that has not changed has to be the same object as before. */
  update(rows: Rows<SubscriptionRow>): void {
    if (rows === this.rows) return;
    const keys = Object.keys(rows);
    const gone = new Set<SubscriptionEntry>();
    const added: SubscriptionEntry[] = [];
    for (const key of keys) {
      const row = rows[key]!;
      const known = this.entries.get(key);
      if (known?.row === row) continue;
      if (known !== undefined) gone.add(known);
      const entry = subscriptionEntry(row);
      this.entries.set(key, entry);
      added.push(entry);
    }
    if (this.entries.size > keys.length)
      for (const [key, entry] of this.entries)
        if (!Object.hasOwn(rows, key)) {
          gone.add(entry);
          this.entries.delete(key);
        }
    this.rows = rows;
    this.sorted.change(gone, added);
  }

  sortBy(sort: SubscriptionSort): void {
    if (sort.column === this.sort.column && sort.descending === this.sort.descending) return;
    this.sort = sort;
    this.sorted.sortBy(compareBy(sort));
  }

  get(subscriptionIdentifier: string): SubscriptionEntry | undefined {
    return this.entries.get(subscriptionIdentifier);
  }

  /** @param now milliseconds since 1970, by the clock of the service */
  list(filter: SubscriptionFilter, now: number): SubscriptionList {
    const passes = filterPasses(filter, now);
    const entries: SubscriptionEntry[] = [];
    const statuses = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<
      SubscriptionRow['status'],
      number
    >;
    const workers = new Map<string, number>();
    for (const entry of this.sorted.items) {
      const { row } = entry;
      const { status, worker, others } = passes(entry);
      if (status && worker && others) entries.push(entry);
      if (worker && others) statuses[row.status] += 1;
      workers.set(row.workerUrl, (workers.get(row.workerUrl) ?? 0) + (status && others ? 1 : 0));
    }
    return { entries, total: this.entries.size, statuses, workers };
  }
}
