import { ElectionTimeoutError, type MasterElection } from '@detector-cluster/master-election';
import { NoMasterError } from '../../model/no-master-error.js';

/** The process that should resign is no longer master, or never was; nothing was done. */
export class MasterChangedError extends Error {
  override readonly name = 'MasterChangedError';
  readonly code = 'MASTER_CHANGED';

  constructor(
    /** The term whose master should resign. */
    readonly asked: number,
    /** The term that leads now. */
    readonly term: number,
    /** The process that leads now. */
    readonly processId: string,
  ) {
    super(
      `term ${asked} does not lead: ${processId} does, with term ${term}; it has not been asked to resign`,
    );
  }
}

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
