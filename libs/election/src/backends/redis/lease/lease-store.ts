import type { HeldLease, LeaseMode, LeaseReply } from './lease-reply.js';

/** Who wants the lease. */
export interface Claimant {
  /** `<candidate id>:<incarnation>:<number>`, unique for each claim. */
  readonly owner: string;
  readonly candidateId: string;
  /** The highest term that the candidate has seen. */
  readonly floor: number;
  /** The candidate has seen a lease that rests on time alone, which may still be valid although the store lost it. */
  readonly afterTimedLease: boolean;
  /** How long ago the lease was claimed under this name for the first time; 0 for the first attempt. Milliseconds. */
  readonly claimedFor: number;
}

/** A change of mode that the leader asks for. */
export interface ModeChange {
  readonly mode: LeaseMode;
  /** Rises with each change under one owner, from 1. The store drops a change that arrives after a later one. */
  readonly number: number;
}

/** A lease that is to be confirmed. */
export interface ClaimedLease {
  readonly owner: string;
  readonly candidateId: string;
  readonly term: number;
  /** Change the mode with the confirmation. */
  readonly change?: ModeChange;
  /**
   * How long ago the last confirmation was sent. 0 when no other candidate can have led since, even if the store has lost data:
   * the lease is still valid, or the connection is older than the confirmation. Milliseconds.
   */
  readonly lapsedFor: number;
}

/** The lease record of one election. Every call is bounded in time, rejects when the store is unavailable, and is safe to repeat. */
export interface LeaseStore {
  /** Takes the lease if it is free, or if it is still exactly the one whose holder was found to be `absent`. */
  acquire(claimant: Claimant, absent?: HeldLease): Promise<LeaseReply>;
  /** Extends the owner's lease. */
  confirm(lease: ClaimedLease): Promise<LeaseReply>;
  /** Ends the owner's lease. Does nothing when another owner holds it. */
  release(owner: string): Promise<void>;
  look(): Promise<LeaseReply>;
}
