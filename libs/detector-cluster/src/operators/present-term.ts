import { type MasterElection, ElectionTimeoutError } from '@detector-cluster/master-election';
import { NoMasterError } from '../shared/master-errors.js';

export interface PresentTermOptions {
  /** The method of the application's API, for messages. */
  readonly call: string;
  /** How long to wait for a master. Milliseconds. */
  readonly timeout: number;
}
/**
 * The term of the master that this process knows; waits until it knows one.
 * @throws {NoMasterError}
 */
export async function presentTerm(
  election: Pick<MasterElection, 'masterId' | 'term' | 'waitForElectionComplete'>,
  { call, timeout }: PresentTermOptions,
): Promise<number> {
  try {
    if (election.masterId === null) await election.waitForElectionComplete(timeout);
  } catch (error) {
    if (error instanceof ElectionTimeoutError) throw new NoMasterError(call, timeout);
    throw error;
  }
  return election.term;
}
