import type { LeaseStore as ElectionLeaseStore } from '@detector-cluster/election/lease';

export type { LeaseClaim, LeaseView, NewLeaseClaim } from '@detector-cluster/election/lease';

/**
 * The lease of a feed. Changes of hands and nominations are announced over the feed; renewals are not.
 *
 * Terms are not below the store's clock in milliseconds, so that they rise even when data was lost. When a lease is released, its
 * nominated successor has the lease's `ttl` to take it before anyone else may.
 */
export interface LeaseStore extends ElectionLeaseStore {
  /** Has the lease handed to a candidate. Free, it is kept for it for `ttl` ms. */
  nominate(candidateId: string, ttl: number): Promise<void>;
}
