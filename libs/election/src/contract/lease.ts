/** One term of leadership, from its acquisition to its loss. */
export interface Lease {
  /** The fencing token of this term; pass it to every resource that the leader writes. */
  readonly term: number;

  /** Aborts the moment leadership is lost or given up; not while it is merely suspended. */
  readonly signal: AbortSignal;

  /**
   * Whether this process may act as leader at this instant. Compares clocks only: no I/O, no timer involved, so it is
   * right also in a process that was frozen. Call it immediately before every action.
   */
  isValid(): boolean;

  /**
   * No other candidate leads before this moment: milliseconds on `performance.now()`, `Infinity` until reported otherwise. It
   * rises with each confirmation, and stays as it was when the term ended. Work that cannot ask {@link isValid}, such as
   * another program, must have ended by then.
   */
  readonly exclusiveUntil: number;

  /** Resolves as soon as {@link isValid} holds; rejects with `LeadershipLostError` when the lease is lost first. */
  ready(): Promise<void>;

  /**
   * Adds work that the handover waits for. When `resign()` or `stop()` gives up leadership, the signal aborts first. When all such
   * work has settled or `handoverTimeout` has passed, the lease is released and another candidate can lead. After any loss this
   * candidate leads again only then.
   *
   * The handover also waits for work added after the loss, until it is over. A rejection is always reported as an `error` of the
   * elector, unless the abort caused it: `LeadershipLostError`, or an error named `AbortError`.
   */
  waitUntil(work: Promise<unknown>): void;
}
