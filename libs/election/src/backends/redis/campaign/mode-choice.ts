import type { LeaseMode } from '../lease/lease-store.js';
import type { Claim } from './claim.js';

/** So many slow round trips in a row mean a store that is far away, not a hiccup. */
const SLOW_IN_A_ROW = 20;

/** So many quick ones mean that it is near again. */
const QUICK_IN_A_ROW = 6;

/**
 * Judges by round trips whether a lease can rest on presence, whose validity is short. A store that is farther away than half
 * of it would keep the leader suspended for most of the time.
 */
class Pace {
  private slow = 0;
  private quick = 0;

  constructor(private readonly presenceValidity: number) {}

  /** A confirmation took this long. Milliseconds. */
  took(roundTrip: number): void {
    this.slow = roundTrip > this.presenceValidity / 2 ? this.slow + 1 : 0;
    this.quick = roundTrip < this.presenceValidity / 4 ? this.quick + 1 : 0;
  }

  /** The other mode, when the round trips call for it. */
  callsFor(mode: LeaseMode): LeaseMode | undefined {
    if (mode === 'presence') return this.slow >= SLOW_IN_A_ROW ? 'lease' : undefined;
    return this.slow === 0 && this.quick >= QUICK_IN_A_ROW ? 'presence' : undefined;
  }

  reset(): void {
    this.slow = 0;
    this.quick = 0;
  }
}

/** Decides what a held lease should rest on. */
export class ModeChoice {
  private readonly pace: Pace;
  private far = false;

  /** @param wantsPresence Whether a lease may rest on presence at all. */
  constructor(
    presenceValidity: number,
    private readonly wantsPresence: boolean,
  ) {
    this.pace = new Pace(presenceValidity);
  }

  /** A confirmation was answered after so many milliseconds. */
  answered(roundTrip: number): void {
    this.pace.took(roundTrip);
  }

  /** What to change the mode of the claim to; `undefined` when it is right, or is being changed. */
  change({ mode, wanted, seen }: Pick<Claim, 'mode' | 'wanted' | 'seen'>): LeaseMode | undefined {
    if (wanted !== undefined || !this.wantsPresence) return undefined;
    const called = this.pace.callsFor(mode);
    if (mode === 'presence') {
      if (called) this.far = true;
      return called && this.decide(called);
    }
    if (!seen || (this.far && !called)) return undefined;
    this.far = false;
    return this.decide('presence');
  }

  private decide(mode: LeaseMode): LeaseMode {
    this.pace.reset();
    return mode;
  }
}
