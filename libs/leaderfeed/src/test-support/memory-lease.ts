import { pause } from '@detector-cluster/election/internal';
import type { VirtualClock } from '@detector-cluster/election/testing';
import type { LeaseClaim, LeaseStore, LeaseView, NewLeaseClaim } from '../lease/lease-store.js';

/** A lease in memory, with the semantics that every store has to implement. */
export class MemoryLeaseRecord {
  private owner: string | null = null;
  private leader: string | null = null;
  private successor: string | null = null;
  private term = 0;
  private until = 0;

  constructor(private readonly clock: VirtualClock) {}

  acquire({ owner, candidateId, ttl, floor }: Omit<NewLeaseClaim, 'claimedFor' | 'floorTtl'>): LeaseView {
    const now = this.clock.now();
    const kept = this.owner === null && this.successor === candidateId;
    if (this.owner !== owner && this.until > now && !kept) return this.view();
    if (this.owner !== owner) {
      this.term = Math.max(this.term, floor) + 1;
      this.successor = null;
    }
    [this.owner, this.leader, this.until] = [owner, candidateId, now + ttl];
    return this.view();
  }

  renew({ owner, ttl }: LeaseClaim): LeaseView {
    if (owner !== '' && this.owner === owner) this.until = this.clock.now() + ttl;
    return this.view();
  }

  release({ owner, ttl }: LeaseClaim): void {
    if (this.owner !== owner) return;
    [this.owner, this.leader] = [null, null];
    this.until = this.successor === null ? 0 : this.clock.now() + ttl;
  }

  nominate(candidateId: string, ttl: number): void {
    const held = this.owner !== null && this.until > this.clock.now();
    this.successor = held && this.leader === candidateId ? null : candidateId;
    if (held) return;
    [this.owner, this.leader, this.until] = [null, null, this.clock.now() + ttl];
  }

  private view(): LeaseView {
    const remaining = Math.max(0, this.until - this.clock.now());
    const held = remaining > 0;
    return {
      owner: held ? this.owner : null,
      leaderId: held ? this.leader : null,
      term: this.term,
      remaining,
      successor: this.successor,
    };
  }
}

/** One candidate's access to the record: calls and answers take time, and may be lost. */
export class MemoryLease implements LeaseStore {
  /** Milliseconds each way. */
  delay = 0;
  /** Calls arrive, answers do not. */
  mute = false;
  /** Nothing arrives. */
  cut = false;

  constructor(
    private readonly record: MemoryLeaseRecord,
    private readonly clock: VirtualClock,
  ) {}

  acquire(claim: LeaseClaim & { readonly floor: number }): Promise<LeaseView> {
    return this.call(() => this.record.acquire(claim));
  }

  renew(claim: LeaseClaim): Promise<LeaseView> {
    return this.call(() => this.record.renew(claim));
  }

  release(claim: LeaseClaim): Promise<void> {
    return this.call(() => this.record.release(claim));
  }

  nominate(candidateId: string, ttl: number): Promise<void> {
    return this.call(() => this.record.nominate(candidateId, ttl));
  }

  private async call<Result>(work: () => Result): Promise<Result> {
    if (this.delay > 0) await pause(this.delay, this.clock);
    if (this.cut) throw new Error('cut');
    const result = work();
    if (this.delay > 0) await pause(this.delay, this.clock);
    if (this.mute) throw new Error('the answer was lost');
    return result;
  }
}
