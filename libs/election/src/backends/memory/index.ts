/**
 * Elections within one process, for tests.
 *
 * @example
 * ```ts
 * import { MemoryElectionBackend, MemoryElectionStore } from '@detector-cluster/election/memory';
 *
 * const store = new MemoryElectionStore({ lockTtl: 1_000 });
 * const backend = new MemoryElectionBackend({ store });
 * ```
 * @packageDocumentation
 */
export { MemoryElectionBackend } from './memory-election-backend.js';
export { MemoryElectionStore, type MemoryLease, StoreDisconnectedError } from './memory-election-store.js';
