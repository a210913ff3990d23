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
   * Competes for leadership until `signal` aborts, and yields every change of what this candidate knows.
   *
   * At most one campaign is alive at a time; a second call throws. Store errors are yielded as
   * `{ role: 'error' }` and retried inside: the iteration ends only when `signal` aborts or after {@link close}. It throws
   * what cannot be retried, which puts the elector into its error state. However it ends, it has given up what it held.
   * While leading, each successful renewal is yielded again with its new deadlines.
   */
  campaign(candidate: Candidate, signal: AbortSignal): AsyncIterable<ElectionState>;

  /** Gives up leadership now, if held; followers learn of it at once. Never rejects because the store is away. */
  resign(): Promise<void>;

  /** Ends the campaign and closes the connection. No timer and no socket is left. Idempotent. */
  close(): Promise<void>;
}
