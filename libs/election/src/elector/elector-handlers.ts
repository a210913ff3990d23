import type { Lease } from '../contract/lease.js';
import type { LossReason } from '../contract/election-backend.js';

/**
 * What to do when leadership begins and ends. Handlers never overlap: `begin`, then `end` of the same term, and so on. Each may
 * return a promise, and then it lasts until that has settled.
 */
export interface ElectorHandlers {
  /**
   * This candidate became leader. If it loses leadership while this handler runs, `lease.signal` aborts, and {@link end} runs once
   * this handler has resolved or rejected.
   *
   * If the handler fails while leadership lasts, the elector considers nothing begun: it gives up leadership without calling
   * {@link end}, and enters the error state.
   */
  begin?(lease: Lease): unknown;

  /**
   * This candidate no longer leads. Runs at once, even if work under the lease has not settled. The handover waits for its first
   * attempt, at most `handoverTimeout`.
   *
   * If it fails, it runs again every 5 s, 12 times in all, while others can lead and this candidate does not compete. After
   * that the elector gives up, see `gave-up`.
   */
  end?(leadership: { readonly term: number; readonly reason: LossReason }): unknown;

  /**
   * The error state: {@link begin} failed, or the campaign broke. Runs when the term is over, {@link end} included. The
   * candidate competes again when this has settled and `errorTimeout` has passed.
   */
  error?(error: Error): unknown;
}
