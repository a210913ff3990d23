/** First in, first out; knows the bytes that it holds. */
export class EntryQueue<T extends { readonly bytes: number }> {
  private items: T[] = [];
  private head = 0;
  private total = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  get bytes(): number {
    return this.total;
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

  /** Removes and returns the `count` oldest entries. */
  take(count: number): T[] {
    const taken = this.items.slice(this.head, this.head + count);
    for (const { bytes } of taken) this.total -= bytes;
    this.head += taken.length;
    if (this.head > 1_024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return taken;
  }

  /** Removes and returns the oldest entry after the `kept` oldest ones. */
  dropOldest(kept: number): T | undefined {
    const [item] = this.items.splice(this.head + kept, 1);
    if (item !== undefined) this.total -= item.bytes;
    return item;
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
