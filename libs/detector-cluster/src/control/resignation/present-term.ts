import { ElectionTimeoutError, type MasterElection } from '@detector-cluster/master-election';
import { NoMasterError } from '../../model/no-master-error.js';

export interface PresentTermOptions {
  /** The method of the application's API, for messages. */
  readonly call: string;
  /** How long to wait for a master. Milliseconds. */
  readonly patience: number;
}

/**
 * The term of the master that this process knows; waits until it knows one.
 * @throws {NoMasterError}
 */
export async function presentTerm(
  election: Pick<MasterElection, 'masterId' | 'term' | 'waitForElectionComplete'>,
  { call, patience }: PresentTermOptions,
): Promise<number> {
  try {
    if (election.masterId === null) await election.waitForElectionComplete(patience);
  } catch (error) {
    if (error instanceof ElectionTimeoutError) throw new NoMasterError(call, patience);
    throw error;
  }
  return election.term;
}
