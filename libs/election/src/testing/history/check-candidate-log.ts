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
  let tenure: Leadership | undefined;
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
        if (tenure) report(`acquired without having lost term ${tenure.term}`);
        if (term <= lastTerm) report(`acquired after term ${lastTerm}`);
        lastTerm = term;
        tenure = { term, suspended: false };
        break;
      case 'acted': {
        const until = validUntil.get(term) ?? -Infinity;
        if (tenure?.term !== term) report('acted without leading');
        else if (tenure.suspended) report('acted while suspended');
        else if (at >= until) report(`acted though valid until ${until}`);
        break;
      }
      default:
        if (tenure?.term !== term) {
          report(`${kind} without leading`);
          break;
        }
        if (kind === 'lost') tenure = undefined;
        else if (tenure.suspended === (kind === 'suspended')) report(`${kind} twice`);
        else tenure.suspended = kind === 'suspended';
        if (kind !== 'resumed') validUntil.set(term, Math.min(validUntil.get(term) ?? -Infinity, at));
    }
  }
  return problems;
}
