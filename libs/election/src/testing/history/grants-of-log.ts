import type { Grant } from '../grant.js';
import type { CandidateEvent } from './candidate-event.js';

/**
 * Derives the grants of one candidate from its log. The candidate gives up the rest of a grant when it logs that it is suspended
 * or has lost its lease; later confirmations do not count. The log of a killed candidate just ends, and its last grant counts to
 * the end of that grant.
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
