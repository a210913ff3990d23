import { seededRandom } from '../../util/seeded-random.js';

/** Randomness that a seed determines. */
export class Dice {
  /** In [0, 1). */
  readonly roll: () => number;

  constructor(seed: number) {
    this.roll = seededRandom(seed);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.roll();
  }

  happens(probability: number): boolean {
    return this.roll() < probability;
  }
}
