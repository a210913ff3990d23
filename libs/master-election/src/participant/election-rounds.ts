import { systemClock } from '@detector-cluster/election';
import { MAX_TIMER, NextRun, withTimeout } from '@detector-cluster/election/internal';
import { ElectionTimeoutError } from '../shared/errors.js';

/** Tracks whether an election is in progress, and the callers that wait for its end. */
export class ElectionRounds {
  private outcome: { readonly isMaster: boolean } | { readonly error: Error } | undefined;
  private underWay = false;
  private readonly callers = new NextRun<boolean>();

  /** Records that there is no leader. Returns whether this begins an election. */
  begin(): boolean {
    if (this.underWay) return false;
    this.outcome = undefined;
    this.underWay = true;
    return true;
  }

  /** Records that there is a leader. Returns whether this ends an election. */
  complete(isMaster: boolean): boolean {
    const ended = this.underWay;
    this.underWay = false;
    this.outcome = { isMaster };
    void this.callers.serve(() => Promise.resolve(isMaster));
    return ended;
  }

  /** Rejects all waiting and later callers: no further election will complete. */
  end(error: Error): void {
    if (this.outcome && 'error' in this.outcome) return;
    this.underWay = false;
    this.outcome = { error };
    this.callers.rejectAll(error);
  }

  /**
   * Resolves when there is a leader: true if it is this process. Without a timeout, or with `Infinity`, it waits forever.
   * @throws RangeError for a `timeoutMs` that is not a duration.
   * @throws ElectionTimeoutError after `timeoutMs`, or the error passed to {@link end}.
   */
  wait(timeoutMs = Infinity): Promise<boolean> {
    if (!(timeoutMs >= 0))
      return Promise.reject(new RangeError(`timeoutMs must be a number from 0 on, not ${String(timeoutMs)}`));
    if (this.outcome && 'error' in this.outcome) return Promise.reject(this.outcome.error);
    if (this.outcome) return Promise.resolve(this.outcome.isMaster);
    const next = this.callers.next();
    if (timeoutMs > MAX_TIMER) return next;
    return withTimeout(next, timeoutMs, systemClock, () => new ElectionTimeoutError(timeoutMs));
  }
}
