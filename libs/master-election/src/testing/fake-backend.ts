import type {
  AcquisitionReason,
  Candidate,
  ElectionBackend,
  ElectionState,
} from '@detector-cluster/election';

type LastingState = Extract<ElectionState, { role: 'leader' | 'follower' }>;

/** A store that a test controls. The lease of a leader has no deadline: it leads until the test ends its term. */
export class FakeBackend implements ElectionBackend {
  readonly name = 'fake';
  private lasting: LastingState = { role: 'follower', leaderId: null, term: 0 };
  private readonly news: ElectionState[] = [];
  private wake: () => void = () => undefined;

  /** The term of the last leader. */
  get term(): number {
    return this.lasting.term;
  }

  /** Makes the candidate leader, in the next term. */
  grant(reason: AcquisitionReason): void {
    this.become({
      role: 'leader',
      term: this.term + 1,
      validUntil: Infinity,
      leaseUntil: Infinity,
      sentAt: performance.now(),
      reason,
    });
  }

  become(state: LastingState): void {
    this.lasting = state;
    this.report(state);
  }

  /** Reports the current state again, as when the store answers again. */
  repeat(): void {
    this.report(this.lasting);
  }

  report(state: ElectionState): void {
    this.news.push(state);
    this.wake();
  }

  async *campaign(_candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    const onAbort = () => this.wake();
    signal.addEventListener('abort', onAbort);
    // A new campaign gets only the current state, not the earlier ones.
    this.news.splice(0, this.news.length, this.lasting);
    try {
      while (!signal.aborted) {
        const state = this.news.shift();
        if (state) yield state;
        else await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      await this.resign();
    }
  }

  resign(): Promise<void> {
    if (this.lasting.role === 'leader') this.become({ role: 'follower', leaderId: null, term: this.term });
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
