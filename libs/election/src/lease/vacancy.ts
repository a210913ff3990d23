import type { AcquisitionReason } from '../contract/election-backend.js';
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

/** Finds out why a lease is free. A lease that is free before it was to end was released. */
export class Vacancy {
  /** End of the last lease seen. `Infinity` once its release was announced, `undefined` before a lease was seen. */
  private heldUntil: number | undefined;

  /** Whether the last lease seen may still be held. */
  mayBeHeld(now: number): boolean {
    return this.heldUntil !== undefined && now < this.heldUntil && this.heldUntil !== Infinity;
  }

  /** Another candidate holds the lease until then, monotonic. */
  held(until: number): void {
    this.heldUntil = until;
  }

  /** Its release was announced. */
  released(): void {
    this.heldUntil = Infinity;
  }

  /** The lease was taken at that moment. */
  taken(now: number): AcquisitionReason {
    const { heldUntil } = this;
    this.heldUntil = -Infinity;
    if (heldUntil === undefined) return 'vacant';
    return now < heldUntil ? 'released' : 'expired';
  }
}
