/**
 * Why a candidate became leader: it knew of no leader, the previous leader handed over, the previous leader's lease expired, or
 * its process was found to be dead.
 */
export type AcquisitionReason = 'vacant' | 'released' | 'expired' | 'absent';

/**
 * Why a term ended: the deadline passed without a confirmation, the store names another leader or none, another term of this
 * candidate began, the candidate gave up because its lease was not confirmed for too long, its begin handler or its campaign
 * failed, or `resign()` or `stop()` was called.
 */
export type LossReason =
  'expired' | 'refused' | 'superseded' | 'unconfirmed' | 'failed' | 'resigned' | 'stopped';

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
      /** The process of the leader seems to have died; this candidate may soon replace it. */
      readonly absent?: true;
    }
  /** The store failed. Ends no term: that is for the deadlines and for `follower`. */
  | { readonly role: 'error'; readonly error: Error };

/** Who competes. */
export interface Candidate {
  /** Unique for each start of a process, `<identifier>:<boot uuid>`. */
  readonly id: string;
}

/**
 * A store in which candidates compete for one leadership. A backend owns its connection and exposes none.
 */
export interface ElectionBackend {
  /** Short name for logs and metrics, e.g. `redis`. */
  readonly name: string;

  /** How long a leader leads without a confirmation, in milliseconds; health checks take their limits from it. */
  readonly lockTtl?: number;

  /**
   * Competes for leadership until `signal` aborts, and yields every state change that this candidate learns of.
   *
   * At most one campaign is alive at a time; a second call throws. The campaign yields store errors as `{ role: 'error' }` and
   * retries: the iteration ends only when `signal` aborts or after {@link close}. It throws errors that cannot be retried, which
   * puts the elector into its error state. In all cases it has given up its claim when it ends. While leading, it yields each
   * successful renewal again with the new deadlines.
   */
  campaign(candidate: Candidate, signal: AbortSignal): AsyncIterable<ElectionState>;

  /** Gives up leadership now, if held. Followers learn of it at once. Never rejects because the store is unavailable. */
  resign(): Promise<void>;

  /** Ends the campaign and closes the connection. No timer and no socket is left. Idempotent. */
  close(): Promise<void>;
}
