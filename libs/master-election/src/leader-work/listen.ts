import type { MasterElection } from '../election/master-election.js';
import type { BoundEvent } from './leader-work.js';

/** Adds a listener without a limit on their number, so Node warns of no leak. Returns a function that removes it. */
export function listen<Argument>(
  election: MasterElection,
  event: BoundEvent,
  listener: (argument: Argument) => void,
): () => void {
  election.setMaxListeners(election.getMaxListeners() + 1);
  election.on(event, listener as (...args: unknown[]) => void);
  return () => {
    election.off(event, listener as (...args: unknown[]) => void);
    election.setMaxListeners(election.getMaxListeners() - 1);
  };
}

/**
 * Calls back at the beginning of each term, and at once if one is in progress. Skips a term that has ended before its event is
 * delivered. Returns a function that ends this.
 */
export function onEachTerm(
  election: MasterElection,
  begin: (lease: NonNullable<MasterElection['lease']>) => void,
): () => void {
  let begun = -1;
  const beginOnce = ({ term }: { term: number }) => {
    const { lease } = election;
    if (lease?.term !== term || term === begun) return;
    begun = term;
    begin(lease);
  };
  const unlisten = listen(election, 'master-acquired', beginOnce);
  if (election.lease) beginOnce(election.lease);
  return unlisten;
}
