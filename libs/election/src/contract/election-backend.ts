import type { Candidate } from './candidate.js';
import type { ElectionState } from './election-state.js';

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
