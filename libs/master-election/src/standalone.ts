import { MasterElection } from './election/master-election.js';
import type { MasterElectionOptions } from './shared/master-election-options.js';
import { resolveOptions } from './shared/resolve-options.js';

let present: MasterElection | undefined;

/**
 * Joins the election without Nest; a program can have one election at a time. Resolves when an election completes, no matter how long
 * the store is unavailable. {@link getMasterElection} returns the election as soon as this is called, so that listeners can be added
 * before it completes. The program must end the election with its `stop()`.
 * @throws InvalidOptionsError, DuplicateNodeIdError; Error when an earlier election has not been stopped
 */
export async function initialize(options: MasterElectionOptions): Promise<MasterElection> {
  if (present) throw new Error('initialize: this program takes part in an election already; stop() it first');
  const election = (present = new StandaloneElection(resolveOptions(options)));
  try {
    await election.start();
  } catch (error) {
    forget(election);
    throw error;
  }
  return election;
}

/**
 * The election that {@link initialize} has joined. Under Nest inject `MasterElection` instead.
 * @throws Error before `initialize`, and after `stop()`
 */
export function getMasterElection(): MasterElection {
  if (!present) throw new Error('getMasterElection: call initialize() first');
  return present;
}

class StandaloneElection extends MasterElection {
  override async stop(): Promise<void> {
    await super.stop();
    forget(this);
  }
}

function forget(election: MasterElection): void {
  if (present === election) present = undefined;
}
