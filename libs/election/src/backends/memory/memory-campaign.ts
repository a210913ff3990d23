import type { ElectionState } from '../../contract/election-state.js';
import { Waker } from '../../util/waker.js';
import type { MemoryElectionStore } from './memory-election-store.js';
import { StoreDisconnectedError } from './store-disconnected.error.js';

/** Whoever resigned lets the others go first for this long. Milliseconds. */
const SIT_OUT = 1_000;

/** One candidate's campaign: waits for a vacancy, takes it, renews it, and so on. */
export class MemoryCampaign {
  private readonly waker: Waker;
  private leading = false;
  /** The store could not be told that the lease was given up. */
  private owing = false;
  private reported = '';
  private sitOutUntil = -Infinity;
  private wait = 0;

  /**
   * @param signal Ends it.
   * @param consumer The part of `signal` that comes from whoever reads the states, and so needs not be told.
   */
  constructor(
    private readonly store: MemoryElectionStore,
    private readonly candidateId: string,
    private readonly signal: AbortSignal,
    private readonly consumer: AbortSignal,
    private connected: boolean,
  ) {
    this.waker = new Waker(store.clock);
  }

  async *states(): AsyncGenerator<ElectionState> {
    const { store, signal, waker } = this;
    store.watch(this, () => waker.wake());
    try {
      while (!signal.aborted) {
        const state = this.next();
        if (state) yield state;
        await waker.sleep(this.wait, signal);
      }
      // Whoever leads by our word steps down when it reads this, which is before the store is told.
      if (this.leading && !this.consumer.aborted)
        yield { role: 'follower', leaderId: null, term: store.lastTerm };
    } finally {
      store.unwatch(this);
      this.release();
    }
  }

  resign(): void {
    if (!this.leading) return;
    this.sitOutUntil = this.store.clock.now() + SIT_OUT;
    this.release();
    this.waker.wake();
  }

  connect(connected: boolean): void {
    this.connected = connected;
    this.waker.wake();
  }

  private release(): void {
    this.leading = false;
    // Unheard, it is said again before the next attempt; or the lease runs out by itself.
    if (this.connected) this.store.release(this);
    else this.owing = true;
  }

  private next(): ElectionState | undefined {
    const { store } = this;
    if (!this.connected) return this.disconnected();
    if (this.owing) store.release(this);
    this.owing = false;
    const now = store.clock.now();
    if (now >= this.sitOutUntil) {
      const granted = store.acquire(this, this.candidateId);
      if (granted) {
        const { term, until, reason } = granted;
        this.leading = true;
        this.reported = '';
        this.wait = store.lockTtl / 3;
        return { role: 'leader', term, validUntil: until, leaseUntil: until, sentAt: now, reason };
      }
    }
    this.leading = false;
    const { leader, lastTerm } = store;
    if (leader) this.sitOutUntil = -Infinity;
    this.wait = (leader?.until ?? this.sitOutUntil) - now;
    return this.once(`${lastTerm} ${leader?.candidateId}`, {
      role: 'follower',
      leaderId: leader?.candidateId ?? null,
      term: leader?.term ?? lastTerm,
    });
  }

  private disconnected(): ElectionState | undefined {
    this.wait = this.store.lockTtl;
    return this.once('disconnected', { role: 'error', error: new StoreDisconnectedError() });
  }

  private once(report: string, state: ElectionState): ElectionState | undefined {
    if (report === this.reported) return undefined;
    this.reported = report;
    return state;
  }
}
