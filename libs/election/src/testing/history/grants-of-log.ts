import type { Grant } from '../grant.js';
import type { CandidateEvent } from './candidate-event.js';

/**
 * The grants of one candidate, from what it wrote down. It gives up the rest of a grant when it says that it is suspended or
 * has lost its lease; what the store confirms after the loss is nothing to it. Of one that was killed the log just ends, and
 * its last grant counts to its own end.
 */
export function grantsOfLog(log: readonly CandidateEvent[]): Grant[] {
  const grants: { -readonly [Key in keyof Grant]: Grant[Key] }[] = [];
  const lost = new Set<number>();
  for (const event of log) {
    const { owner, term, kind, at } = event;
    if (kind === 'granted') {
      if (!lost.has(term) && event.validUntil > at)
        grants.push({ owner, term, sentAt: at, validUntil: event.validUntil });
    } else if (kind === 'suspended' || kind === 'lost') {
      for (const grant of grants) if (grant.term === term) grant.validUntil = Math.min(grant.validUntil, at);
      if (kind === 'lost') lost.add(term);
    }
  }
  return grants;
}
