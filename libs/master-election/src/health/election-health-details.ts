import type { MasterElectionStatus } from '../status/master-election-status.js';

/** What the health indicator tells beside the status. */
export type ElectionHealthDetails = Pick<MasterElectionStatus, 'role' | 'term' | 'leaderId' | 'leaseAge'> & {
  /** Why it is not `up`. */
  readonly reason?: string;
};
