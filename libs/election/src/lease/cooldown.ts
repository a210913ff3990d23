import type { Clock } from '../util/clock.js';

/** A candidate that resigned or gave up lets the others go first for this long. Milliseconds. */
const COOLDOWN = 1_000;

/** The time in which a candidate does not compete. It ends early when another candidate leads. */
export class Cooldown {
  /** Monotonic. */
  until = -Infinity;

  constructor(private readonly clock: Clock) {}

  get active(): boolean {
    return this.clock.now() < this.until;
  }

  /** Milliseconds; 0 when it is over. */
  get remaining(): number {
    return Math.max(0, this.until - this.clock.now());
  }

  /** @param part Of the usual length. */
  begin(part = 1): void {
    this.until = this.clock.now() + COOLDOWN * part;
  }

  end(): void {
    this.until = -Infinity;
  }
}
