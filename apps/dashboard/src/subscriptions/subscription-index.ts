import type { Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import {
  subscriptionEntry,
  type SubscriptionEntry,
  searchOf,
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
    const passes = searchOf(filter);
    const entries: SubscriptionEntry[] = [];
    const statuses = { failed: 0, recovering: 0, pending: 0, active: 0 };
    for (const entry of this.sorted) {
      if (!passes(entry)) continue;
      const { status } = entry.row;
      // The count beside a choice says what it would show.
      statuses[status] += 1;
      if (filter.statuses.length === 0 || filter.statuses.includes(status)) entries.push(entry);
    }
    return { entries, total: this.entries.size, statuses };
  }
}
