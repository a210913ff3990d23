import type { AcquisitionReason, LossReason } from './reasons.js';

/**
 * What a candidate knows of the election.
 *
 * `term` is the fencing token: it strictly rises with each change of leader, also when the store lost its data.
 * Terms are large numbers (milliseconds since 1970 on Redis), still exact in a double.
 * Deadlines are absolute milliseconds on `performance.now()`, counted from when the confirmation was *sent*;
 * `Infinity` means until reported otherwise.
 */
export type ElectionState =
  | {
      readonly role: 'leader';
      readonly term: number;
      /** May act until then. */
      readonly validUntil: number;
      /** Is leader until then; between the two it is suspended. */
      readonly leaseUntil: number;
      /** When the confirmation behind this state was sent, if the backend reports it. For metrics and the renew deadline. */
      readonly sentAt?: number;
      /** Why the term began, as far as the backend knows; read from the first state of a term. */
      readonly reason?: AcquisitionReason;
    }
  /** Still leader, but may not act until confirmed again. */
  | { readonly role: 'suspended'; readonly term: number }
  /** Another candidate leads, or none (`null`). Ends a term for `reason`; without a reason, the store refused this candidate. */
  | {
      readonly role: 'follower';
      readonly leaderId: string | null;
      readonly term: number;
      readonly reason?: LossReason;
    }
  /** The store failed. Ends no term: that is for the deadlines and for `follower`. */
  | { readonly role: 'error'; readonly error: Error };
