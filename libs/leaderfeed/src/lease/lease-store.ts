import type { LeaseStore as ElectionLeaseStore } from '@detector-cluster/election/lease';

export type { LeaseClaim, LeaseView, NewLeaseClaim } from '@detector-cluster/election/lease';

/**
 * The lease of a feed. The store announces changes of the owner and nominations over the feed, but not renewals.
 *
 * Terms are at least the store's clock in milliseconds, so that they increase even after a loss of data. When a lease is released,
 * its nominated successor has the lease's `ttl` to take it before other candidates may.
 */
export interface LeaseStore extends ElectionLeaseStore {
  /** Nominates a candidate for the lease. A free lease is reserved for the candidate for `ttl` ms. */
  nominate(candidateId: string, ttl: number): Promise<void>;
}
