import type { ElectorGaveUpError } from '../contract/errors.js';
import type { AcquisitionReason, LossReason } from '../contract/reasons.js';

/** Events of an `Elector`, with the arguments of their listeners. `acquired` and `lost` strictly alternate. */
export interface ElectorEvents {
  /** This candidate became leader. */
  acquired: [leadership: { term: number; reason: AcquisitionReason }];
  /** It no longer is; its lease is already invalid and its signal aborted. */
  lost: [leadership: { term: number; reason: LossReason }];
  /** Still leader, but may not act until `resumed`. */
  suspended: [leadership: { term: number }];
  /** Confirmed again in the same term. */
  resumed: [leadership: { term: number }];
  /** Another candidate leads, or none (`null`). Emitted on every change. */
  follower: [leader: { leaderId: string | null; term: number }];
  /** The store answered after it had failed. */
  recovered: [];
  /** The store, a handler, a listener or work under a lease failed. Ends no term by itself; without a listener it is dropped. */
  error: [error: Error];
  /**
   * The end handler failed for good. The elector has stopped and cannot start again: the process should exit, and without a
   * listener it does, by an uncaught exception.
   */
  'gave-up': [error: ElectorGaveUpError];
}
