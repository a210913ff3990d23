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
