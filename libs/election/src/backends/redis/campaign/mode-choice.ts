import type { LeaseMode } from '../lease/lease-reply.js';
import type { Claim } from './claim.js';
import { Pace } from './pace.js';

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
