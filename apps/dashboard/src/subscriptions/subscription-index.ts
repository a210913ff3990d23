import type { Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import {
  subscriptionEntry,
  type SubscriptionEntry,
  filterParts,
  NO_WORKER,
  type SubscriptionFilter,
  compareBy,
  type SubscriptionSort,
} from './subscription-entry.js';

/** What the table shows. */
export interface SubscriptionList {
  readonly entries: readonly SubscriptionEntry[];
  /** The number of subscriptions without a filter. */
  readonly total: number;
  /** How many of each status pass the rest of the filter. */
  readonly statuses: Readonly<Record<SubscriptionRow['status'], number>>;
  /** How many of each worker pass the rest of the filter, including workers with none; by URL or {@link NO_WORKER}. */
  readonly workers: ReadonlyMap<string, number>;
}

/** Follows the rows of the feed. A row that has not changed keeps its entry. */
export class SubscriptionIndex {
  private rows: Rows<SubscriptionRow> = {};
  private readonly entries = new Map<string, SubscriptionEntry>();
  private sorted: SubscriptionEntry[] = [];

  constructor(private sort: SubscriptionSort) {}

  /** Takes the current rows. An unchanged row must be the same object as before. */
  update(rows: Rows<SubscriptionRow>): void {
    if (rows === this.rows) return;
    this.rows = rows;
    const added: SubscriptionEntry[] = [];
    for (const [key, row] of Object.entries(rows)) {
      if (this.entries.get(key)?.row === row) continue;
      const entry = subscriptionEntry(row);
      this.entries.set(key, entry);
      added.push(entry);
    }
    for (const key of this.entries.keys()) if (!Object.hasOwn(rows, key)) this.entries.delete(key);
    const kept = this.sorted.filter((entry) => this.get(entry.row.subscriptionIdentifier) === entry);
    // The kept ones are in order, so that the sort needs about one pass.
    this.sorted = [...kept, ...added].sort(compareBy(this.sort));
  }

  sortBy(sort: SubscriptionSort): void {
    if (sort.column === this.sort.column && sort.descending === this.sort.descending) return;
    this.sort = sort;
    this.sorted.sort(compareBy(sort));
  }

  get(subscriptionIdentifier: string): SubscriptionEntry | undefined {
    return this.entries.get(subscriptionIdentifier);
  }

  list(filter: SubscriptionFilter): SubscriptionList {
    const passes = filterParts(filter);
    const entries: SubscriptionEntry[] = [];
    const statuses = { failed: 0, recovering: 0, pending: 0, active: 0 };
    const workers = new Map<string, number>();
    for (const entry of this.sorted) {
      const { row } = entry;
      const status = passes.status(entry);
      const worker = passes.worker(entry);
      const others = passes.others(entry);
      if (status && worker && others) entries.push(entry);
      if (worker && others) statuses[row.status] += 1;
      const of = row.workerUrl || NO_WORKER;
      workers.set(of, (workers.get(of) ?? 0) + (status && others ? 1 : 0));
    }
    return { entries, total: this.entries.size, statuses, workers };
  }
}
