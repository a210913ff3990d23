import type { AcquisitionReason } from '@detector-cluster/election';

/** A leader's current lease. Deadlines are absolute, on `performance.now()`. Milliseconds. */
export interface GroupLease {
  readonly term: number;
  /** May act until then. */
  readonly validUntil: number;
  /** Leads until then unless the store confirms the lease again. */
  readonly leaseUntil: number;
  /** When the last confirmed write was sent. */
  readonly sentAt: number;
  readonly reason: AcquisitionReason;
}
