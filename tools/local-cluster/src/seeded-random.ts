/** Pseudo-random numbers; the same seed gives the same numbers. */
export class SeededRandom {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed;
  }

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return Math.floor(low + this.next() * (high - low));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length)]!;
  }
}
