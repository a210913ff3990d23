import type { AtomicLeaderStore } from '../store/leader-store.js';

/** One record in one store, as the conformance suite uses it. Each test gets a new one. */
export interface LeaderStoreHarness {
  /** All stores of a harness hold the same record. */
  createStore(): AtomicLeaderStore;
  /** Puts a text in the place of the record that is none. */
  spoil?(text: string): Promise<void>;
  /** The server stops answering, as by SIGKILL, until {@link revive}. */
  kill?(): Promise<void>;
  revive?(): Promise<void>;
  dispose(): Promise<void>;
}
