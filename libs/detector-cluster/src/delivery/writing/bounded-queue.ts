/** First in, first out, with limits of which the owner is told; it decides what to drop. */
export class BoundedQueue<T extends { readonly bytes: number }> {
  private items: T[] = [];
  private head = 0;
  private total = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly maxBytes: number,
  ) {}

  get length(): number {
    return this.items.length - this.head;
  }

  get bytes(): number {
    return this.total;
  }

  get overLimit(): boolean {
    return this.length > this.maxEntries || this.total > this.maxBytes;
  }

  push(item: T): void {
    this.items.push(item);
    this.total += item.bytes;
  }

  /** The oldest entries within both limits, at least one when there is one. */
  peek(entries: number, bytes: number): T[] {
    const batch: T[] = [];
    let size = 0;
    for (let i = this.head; i < this.items.length && batch.length < entries; i++) {
      const item = this.items[i]!;
      size += item.bytes;
      if (batch.length > 0 && size > bytes) break;
      batch.push(item);
    }
    return batch;
  }

  /** Removes the `count` oldest entries. */
  remove(count: number): void {
    for (let i = 0; i < count; i++) this.total -= this.items[this.head + i]!.bytes;
    this.head += count;
    if (this.head > 1_024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
  }

  /** Removes and returns the oldest entry but for the `kept` oldest ones. */
  dropOldest(kept: number): T | undefined {
    const [item] = this.items.splice(this.head + kept, 1);
    if (item !== undefined) this.total -= item.bytes;
    return item;
  }

  some(predicate: (item: T) => boolean): boolean {
    for (let i = this.head; i < this.items.length; i++) if (predicate(this.items[i]!)) return true;
    return false;
  }

  /** Empties the queue. */
  takeAll(): T[] {
    const items = this.items.slice(this.head);
    this.items = [];
    this.head = 0;
    this.total = 0;
    return items;
  }
}
