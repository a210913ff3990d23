import type { RowChanges, Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import type { RowStep } from '../feed/feed-store.js';
import { SortedList } from './sorted-list.js';
import {
  subscriptionEntry,
  type SubscriptionEntry,
  filterParts,
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
  /** How many of each worker pass the rest of the filter, including workers with none. Empty URL: without a worker. */
  readonly workers: ReadonlyMap<string, { readonly count: number }>;
}

const changedKeys = ({ set = {}, changed = {} }: RowChanges) => [
  ...Object.keys(set),
  ...Object.keys(changed),
];

/** Follows the rows of the feed. Rows that a patch does not change are neither read nor sorted again. */
export class SubscriptionIndex {
  private rows: Rows<SubscriptionRow> = {};
  private readonly entries = new Map<string, SubscriptionEntry>();
  private readonly sorted: SortedList<SubscriptionEntry>;

  constructor(private sort: SubscriptionSort) {
    this.sorted = new SortedList(compareBy(sort));
  }

  /**
   * Takes the current rows. An unchanged row must be the same object as before.
   * @param step the changes since the previous rows, if known; then only the changed rows are read
   */
  update(rows: Rows<SubscriptionRow>, step?: RowStep): void {
    if (rows === this.rows) return;
    const known = step !== undefined && step.before === this.rows && step.after === rows;
    const changed = known ? changedKeys(step.changes) : Object.keys(rows);
    const gone = known ? (step.changes.gone ?? []) : this.missingIn(rows);
    const out = new Set<SubscriptionEntry>();
    const added: SubscriptionEntry[] = [];
    for (const key of changed) {
      const row = rows[key];
      const present = this.entries.get(key);
      if (row === undefined || present?.row === row) continue;
      if (present !== undefined) out.add(present);
      const entry = subscriptionEntry(row);
      this.entries.set(key, entry);
      added.push(entry);
    }
    for (const key of gone) {
      const present = this.entries.get(key);
      if (present !== undefined) out.add(present);
      this.entries.delete(key);
    }
    this.rows = rows;
    this.sorted.change(out, added);
  }

  sortBy(sort: SubscriptionSort): void {
    if (sort.column === this.sort.column && sort.descending === this.sort.descending) return;
    this.sort = sort;
    this.sorted.sortBy(compareBy(sort));
  }

  get(subscriptionIdentifier: string): SubscriptionEntry | undefined {
    return this.entries.get(subscriptionIdentifier);
  }

  list(filter: SubscriptionFilter): SubscriptionList {
    const passes = filterParts(filter);
    const entries: SubscriptionEntry[] = [];
    const statuses = { failed: 0, recovering: 0, pending: 0, active: 0 };
    const workers = new Map<string, { count: number }>();
    for (const entry of this.sorted.items) {
      const { row } = entry;
      const status = passes.status(entry);
      const worker = passes.worker(entry);
      const others = passes.others(entry);
      if (status && worker && others) entries.push(entry);
      if (worker && others) statuses[row.status] += 1;
      let counted = workers.get(row.workerUrl);
      if (counted === undefined) workers.set(row.workerUrl, (counted = { count: 0 }));
      if (status && others) counted.count += 1;
    }
    return { entries, total: this.entries.size, statuses, workers };
  }

  private missingIn(rows: Rows<SubscriptionRow>): string[] {
    return Array.from(this.entries.keys()).filter((key) => !Object.hasOwn(rows, key));
  }
}
