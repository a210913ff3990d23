import type { MemoryElectionStore } from '../backends/memory/memory-election-store.js';
import type { LeaseClaim, LeaseStore, LeaseView, NewLeaseClaim } from '../lease/lease-store.js';
import { pause } from '../util/pause.js';

/** One candidate's way to a lease in memory: calls and answers take time, and may get lost. */
export class RemoteLease implements LeaseStore {
  /** Milliseconds each way. */
  delay = 0;
  /** Calls arrive, answers do not. */
  mute = false;
  /** Nothing arrives. */
  cut = false;

  constructor(private readonly store: MemoryElectionStore) {}

  acquire(claim: NewLeaseClaim): Promise<LeaseView> {
    return this.call(() => this.store.acquire(claim));
  }

  renew(claim: LeaseClaim): Promise<LeaseView> {
    return this.call(() => this.store.renew(claim));
  }

  release({ owner }: LeaseClaim): Promise<void> {
    return this.call(() => this.store.release(owner));
  }

  private async call<Result>(work: () => Result): Promise<Result> {
    const { clock } = this.store;
    if (this.delay > 0) await pause(this.delay, clock);
    if (this.cut) throw new Error('cut');
    const result = work();
    if (this.delay > 0) await pause(this.delay, clock);
    if (this.mute) throw new Error('the answer was lost');
    return result;
  }
}
