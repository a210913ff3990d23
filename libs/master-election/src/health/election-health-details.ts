import type { MasterElectionStatus } from '../status/master-election-status.js';

/** Details that the health indicator adds to the status. */
export type ElectionHealthDetails = Pick<MasterElectionStatus, 'role' | 'term' | 'leaderId' | 'leaseAge'> & {
  /** Why it is not `up`. */
  readonly reason?: string;
};
