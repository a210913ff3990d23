/** Keeps items in order. A change of a few items costs one pass instead of another sort. */
export class SortedList<T> {
  private sorted: readonly T[] = [];

  /** @param compare as for `Array.prototype.sort`; 0 only for an item and itself, so that the order is unique. */
  constructor(private compare: (a: T, b: T) => number) {}

  get items(): readonly T[] {
    return this.sorted;
  }

  /** Replaces all items. */
  fill(items: Iterable<T>): void {
    this.sorted = Array.from(items).sort(this.compare);
  }

  /** The same items in another order. */
  sortBy(compare: (a: T, b: T) => number): void {
    this.compare = compare;
    this.fill(this.sorted);
  }

  /** Removes items and inserts others. */
  change(gone: ReadonlySet<T>, added: readonly T[]): void {
    const kept = gone.size === 0 ? this.sorted : this.sorted.filter((item) => !gone.has(item));
    this.sorted = added.length === 0 ? kept : this.merge(kept, [...added].sort(this.compare));
  }

  private merge(kept: readonly T[], added: readonly T[]): T[] {
    const merged: T[] = [];
    let next = 0;
    for (const item of kept) {
      while (next < added.length && this.compare(added[next]!, item) < 0) merged.push(added[next++]!);
      merged.push(item);
    }
    return merged.concat(added.slice(next));
  }
}
