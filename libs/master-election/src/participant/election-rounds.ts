import { MAX_TIMER } from '@detector-cluster/election/internal';
import { ElectionTimeoutError } from '../shared/errors.js';

interface Waiter {
  readonly resolve: (isMaster: boolean) => void;
  readonly reject: (error: Error) => void;
}

/** Tracks whether an election is in progress, and the callers that wait for its end. */
export class ElectionRounds {
  private outcome: { readonly isMaster: boolean } | { readonly error: Error } | undefined;
  private underWay = false;
  private readonly waiters = new Set<Waiter>();

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
    for (const { resolve } of this.waiters) resolve(isMaster);
    this.waiters.clear();
    return ended;
  }

  /** Rejects all waiting and later callers: no further election will complete. */
  end(error: Error): void {
    if (this.outcome && 'error' in this.outcome) return;
    this.underWay = false;
    this.outcome = { error };
    for (const { reject } of this.waiters) reject(error);
    this.waiters.clear();
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
    return new Promise((resolve, reject) => {
      const settle = <Value>(then: (value: Value) => void) => {
        return (value: Value) => {
          clearTimeout(timer);
          this.waiters.delete(waiter);
          then(value);
        };
      };
      const waiter: Waiter = { resolve: settle(resolve), reject: settle(reject) };
      const timer =
        timeoutMs > MAX_TIMER
          ? undefined
          : setTimeout(() => waiter.reject(new ElectionTimeoutError(timeoutMs)), timeoutMs);
      this.waiters.add(waiter);
    });
  }
}
