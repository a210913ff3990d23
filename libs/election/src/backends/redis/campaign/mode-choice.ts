import type { Clock } from '../../../util/clock.js';
import type { ProcessPresence } from '../presence/process-presence.js';
import type { Claim } from './claim.js';
import { Pace } from './pace.js';

/** After the store did not see the presence of this process, a lease rests on time for so long. Milliseconds. */
const REFUSAL_PAUSE = 30_000;

/** Decides what a held lease should rest on. */
export class ModeChoice {
  private readonly pace: Pace;
  private far = false;
  private notBefore = -Infinity;

  constructor(
    presenceValidity: number,
    private readonly presence: ProcessPresence | undefined,
    private readonly clock: Clock,
  ) {
    this.pace = new Pace(presenceValidity);
  }

  /** A confirmation was answered after so many milliseconds. */
  answered(roundTrip: number): void {
    this.pace.took(roundTrip);
  }

  /** The store does not see this process, on which the lease was to rest. */
  refused(): void {
    this.notBefore = this.clock.now() + REFUSAL_PAUSE;
  }

  /** What to change the mode of the claim to; `undefined` when it is right, or is being changed. */
  change({ mode, wanted }: Pick<Claim, 'mode' | 'wanted'>): Claim['wanted'] {
    if (wanted !== undefined || !this.presence) return undefined;
    const called = this.pace.callsFor(mode);
    if (mode === 'presence') {
      if (called) this.far = true;
      return called && this.decide(called);
    }
    if (!this.presence.listening || this.clock.now() < this.notBefore) return undefined;
    if (this.far && !called) return undefined;
    this.far = false;
    return this.decide('presence');
  }

  private decide(mode: Claim['wanted']): Claim['wanted'] {
    this.pace.reset();
    return mode;
  }
}
