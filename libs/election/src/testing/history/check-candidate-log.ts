import type { CandidateEvent } from './candidate-event.js';

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
