/** First in, first out; knows the bytes that it holds. */
export class EntryQueue<T extends { readonly bytes: number }> {
  private readonly items: T[] = [];
  bytes = 0;

  get length(): number {
    return this.items.length;
  }

  push(item: T): void {
    this.items.push(item);
    this.bytes += item.bytes;
  }

  /** The oldest entries within both limits, at least one when there is one. */
  peek(entries: number, bytes: number): T[] {
    const most = Math.min(entries, this.items.length);
    let count = 0;
    for (let size = 0; count < most; count++) {
      size += this.items[count]!.bytes;
      if (count > 0 && size > bytes) break;
    }
    return this.items.slice(0, count);
  }

  /** Removes and returns the `count` oldest entries. */
  take(count: number): T[] {
    return this.remove(0, count);
  }

  /** Removes and returns the oldest, or the newest, entry of some kind after the `kept` oldest ones. */
  drop(kept: number, which: 'oldest' | 'newest', isWanted: (item: T) => boolean): T | undefined {
    const { items } = this;
    const last = items.length - 1;
    for (let i = kept; i <= last; i++) {
      const at = which === 'oldest' ? i : last + kept - i;
      if (isWanted(items[at]!)) return this.remove(at, 1)[0];
    }
    return undefined;
  }

  private remove(from: number, count: number): T[] {
    const removed = this.items.splice(from, count);
    for (const { bytes } of removed) this.bytes -= bytes;
    return removed;
  }
}
