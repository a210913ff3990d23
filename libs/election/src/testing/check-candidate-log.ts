import type { Grant } from './check-history.js';

/**
 * What one candidate writes down about itself, in order; `at` and `validUntil` from one clock that all candidates share.
 *
 * `granted`: the store has confirmed it, and it may act until `validUntil`; written down when its elector has taken it in, and so
 * after a suspension that this ends. `acted`: it acted as leader; `at` is from before it asked whether it may. The others are
 * events of its elector.
 */
export type CandidateEvent = {
  readonly owner: string;
  readonly at: number;
  readonly term: number;
} & (
  | { readonly kind: 'granted'; readonly validUntil: number }
  | { readonly kind: 'acquired' | 'suspended' | 'resumed' | 'lost' | 'acted' }
);

interface Leadership {
  readonly term: number;
  suspended: boolean;
}

/**
 * What is wrong with what one candidate did by its own account; empty when nothing is. It acted only under a term that was
 * granted to it, and only while the grant held; `acquired` and `lost` alternate with terms that rise, and so do `suspended`
 * and `resumed` between them.
 */
export function checkCandidateLog(log: readonly CandidateEvent[]): string[] {
  const problems: string[] = [];
  let leadership: Leadership | undefined;
  let lastTerm = -Infinity;
  const validUntil = new Map<number, number>();
  for (const event of log) {
    const { owner, kind, term, at } = event;
    const report = (what: string) => problems.push(`${owner} ${what} at ${at}, term ${term}`);
    switch (kind) {
      case 'granted':
        validUntil.set(term, Math.max(validUntil.get(term) ?? -Infinity, event.validUntil));
        break;
      case 'acquired':
        if (leadership) report(`acquired without having lost term ${leadership.term}`);
        if (term <= lastTerm) report(`acquired after term ${lastTerm}`);
        lastTerm = term;
        leadership = { term, suspended: false };
        break;
      case 'acted': {
        const until = validUntil.get(term) ?? -Infinity;
        if (leadership?.term !== term) report('acted without leading');
        else if (leadership.suspended) report('acted while suspended');
        else if (at >= until) report(`acted though valid until ${until}`);
        break;
      }
      default:
        if (leadership?.term !== term) {
          report(`${kind} without leading`);
          break;
        }
        if (kind === 'lost') leadership = undefined;
        else if (leadership.suspended === (kind === 'suspended')) report(`${kind} twice`);
        else leadership.suspended = kind === 'suspended';
        if (kind !== 'resumed') validUntil.set(term, Math.min(validUntil.get(term) ?? -Infinity, at));
    }
  }
  return problems;
}

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
