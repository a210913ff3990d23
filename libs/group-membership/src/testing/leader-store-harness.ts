import type { AtomicLeaderStore } from '../store/leader-store.js';

/** One record in one store, as the conformance suite uses it. Each test gets a new one. */
export interface LeaderStoreHarness {
  /** All stores of a harness hold the same record. */
  createStore(): AtomicLeaderStore;
  /** Replaces the record with a text that is not a record. */
  spoil?(text: string): Promise<void>;
  /** Stops the server, as SIGKILL would, until {@link revive}. */
  kill?(): Promise<void>;
  revive?(): Promise<void>;
  dispose(): Promise<void>;
}
