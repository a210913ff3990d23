import { getOrInsertComputed } from '../util/get-or-insert-computed.js';

/**
 * The lease of the highest term that this process has seen. A candidate that leads in a higher term was elected when every earlier
 * lease had ended, so that no earlier one matters.
 */
export class SeenLease {
  /** Its term; 0 before the first. */
  floor = 0;
  /**
   * How long its holder may act without a confirmation, as the holder has said: the longest that was seen in this term, 0 when that is
   * unknown. Milliseconds.
   */
  validity = 0;

  saw(term: number, validity = 0): void {
    if (term < this.floor) return;
    this.validity = term > this.floor ? validity : Math.max(this.validity, validity);
    this.floor = term;
  }
}

const ofElections = new Map<string, SeenLease>();

/** What this process has seen of an election. It outlives the backends of the process. */
export function seenLeaseOf(election: string): SeenLease {
  return getOrInsertComputed(ofElections, election, () => new SeenLease());
}
