import { type Clock, type ClockInstant, deadlineAfter, instantOf } from '../util/clock.js';
import { instanceOfOwner, newOwner } from './lease-owner.js';

/**
 * The name under which a candidate claims the lease. An acquisition whose answer was lost is repeated under the same name and yields
 * the same term. A claim that has ended is never taken up again: the next one has another name.
 */
export class ClaimName {
  owner: string;
  /** An acquisition under {@link owner} was sent, so that the store may hold the lease for it. */
  sent = false;
  private sentFirst: ClockInstant | undefined;

  /**
   * @param instance One life of the candidate.
   * @param callTimeout How long a call may take until the store applies it. Milliseconds.
   */
  constructor(
    private readonly instance: string,
    private readonly clock: Clock,
    private readonly callTimeout: number,
  ) {
    this.owner = newOwner(instance);
  }

  /**
   * An acquisition is sent.
   * @returns how long ago the first one was sent when the store applies this one, 0 for the first one. Milliseconds.
   */
  send(): number {
    const { clock, callTimeout, sentFirst } = this;
    this.sent = true;
    this.sentFirst ??= instantOf(clock);
    return sentFirst ? clock.now() - deadlineAfter(sentFirst, 0, clock) + 2 * callTimeout : 0;
  }

  /** Another holds the lease, so that the store holds none for this name. */
  refused(): void {
    this.sent = false;
    this.sentFirst = undefined;
  }

  /** Ends the claim. @returns its name if the store may hold the lease for it. */
  abandon(): string | undefined {
    const owner = this.sent ? this.owner : undefined;
    this.refused();
    if (owner !== undefined) this.owner = newOwner(this.instance);
    return owner;
  }

  /** Whether a lease belongs to an earlier claim of this process, which came late or was brought back by a restart of the store. */
  isLate(owner: string): boolean {
    return owner !== this.owner && instanceOfOwner(owner) === this.instance;
  }
}
