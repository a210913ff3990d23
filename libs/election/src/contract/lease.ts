/** One tenure of leadership, from its acquisition to its loss. */
export interface Lease {
  /** The fencing token of this tenure; pass it to every resource that the leader writes. */
  readonly term: number;

  /** Aborts the moment leadership is lost or given up; not while it is merely suspended. */
  readonly signal: AbortSignal;

  /**
   * Whether this process may act as leader at this instant. Compares clocks only: no I/O, no timer involved, so it is
   * right also in a process that was frozen. Ask it immediately before every act.
   */
  isValid(): boolean;

  /**
   * No other candidate leads before this moment: milliseconds on `performance.now()`, `Infinity` until reported otherwise. It
   * rises with each confirmation, and stays as it was when the tenure ended. Work that cannot ask {@link isValid}, such as
   * another program, must have ended by then.
   */
  readonly exclusiveUntil: number;

  /** Resolves as soon as {@link isValid} holds; rejects with `LeadershipLostError` when the lease is lost first. */
  ready(): Promise<void>;

  /**
   * Work under this lease that hand-over waits for. When leadership is given up by `resign()` or `stop()`, the signal aborts
   * first; the store is told, and somebody else can lead, when all such work has settled or `handoverTimeout` has passed. After
   * any loss this candidate leads again only then.
   *
   * Work added after the loss is waited for as well, until the waiting is over; later on it is not. A rejection is reported as an
   * `error` of the elector in any case, unless the abort caused it: `LeadershipLostError`, or an error named `AbortError`.
   */
  waitUntil(work: Promise<unknown>): void;
}
