/**
 * What a lease rests on: `presence`, the process's connection to the server, whose absence lets others replace it; `lease`,
 * its time to live alone.
 */
export type LeaseMode = 'presence' | 'lease';

/** The record of a held lease. */
export interface HeldLease {
  readonly owner: string;
  readonly term: number;
  readonly mode: LeaseMode;
  /** Changes with every confirmation. */
  readonly seq: string;
  /**
   * How long the owner may act after it sent a confirmation, by the fastest clock; `undefined` when the record does not say it.
   * Milliseconds.
   */
  readonly validity: number | undefined;
  /** The server sees no connection of the owner's process. False also when the server does not report it. */
  readonly absent: boolean;
  /** Milliseconds; `Infinity` without an end. */
  readonly ttl: number;
}

/** A lease that the caller holds. */
export interface GrantedLease {
  readonly term: number;
  readonly mode: LeaseMode;
  /** The server sees the connection of the caller's process. */
  readonly seen: boolean;
}

/** What the store says about a lease. */
export type LeaseReply =
  | ({ readonly kind: 'granted' } & GrantedLease)
  | ({ readonly kind: 'held' } & HeldLease)
  | { readonly kind: 'vacant'; readonly term: number }
  /** The caller's own process is not seen; nothing was confirmed. */
  | { readonly kind: 'unseen' }
  /** The store started too short a while ago to grant or confirm this. `wait` in milliseconds. */
  | { readonly kind: 'restarted'; readonly wait: number };

/** Who wants the lease. */
export interface Claimant {
  /** `<candidate id>:<incarnation>:<number>`, unique for each claim. */
  readonly owner: string;
  readonly candidateId: string;
  /** The highest term that the candidate has seen. */
  readonly floor: number;
  /** How long the holder of that term may act after it sent a confirmation, by the fastest clock; 0 when unknown. Milliseconds. */
  readonly floorValidity: number;
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
  read(): Promise<LeaseReply>;
}
