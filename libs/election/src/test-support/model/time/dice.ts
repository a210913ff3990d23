/** Randomness that a seed determines. */
export class Dice {
  constructor(private seed: number) {}

  /** In [0, 1). */
  readonly roll = (): number => {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  between(low: number, high: number): number {
    return low + (high - low) * this.roll();
  }

  happens(probability: number): boolean {
    return this.roll() < probability;
  }
}
