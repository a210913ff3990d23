import type { Lease } from '../../contract/lease.js';
import type { LossReason } from '../../contract/reasons.js';

/**
 * What to do when leadership begins and ends. Handlers never overlap: `begin`, then `end` of the same tenure, and so on. Each may
 * return a promise, and then it lasts until that has settled.
 */
export interface ElectorHandlers {
  /**
   * This candidate became leader. When leadership is lost meanwhile, `lease.signal` aborts, and {@link end} runs once this has
   * settled, whichever way.
   *
   * When it fails while leadership lasts, nothing has begun: leadership is given up without {@link end}, and the error state
   * follows.
   */
  begin?(lease: Lease): unknown;

  /**
   * This candidate no longer leads; runs at once, beside work that is still waited for. Hand-over waits for its first attempt, at
   * most `handoverTimeout`.
   *
   * When it fails, it runs again every 5 s, 12 times in all, while others can lead and this candidate does not compete. After
   * that the elector gives up, see `gave-up`.
   */
  end?(tenure: { readonly term: number; readonly reason: LossReason }): unknown;

  /**
   * The error state: {@link begin} failed, or the campaign broke. Runs when the tenure is over, {@link end} included. The
   * candidate competes again when this has settled and `errorTimeout` has passed.
   */
  error?(error: Error): unknown;
}
