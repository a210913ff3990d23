import type { AcquisitionReason } from '../contract/election-backend.js';

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
