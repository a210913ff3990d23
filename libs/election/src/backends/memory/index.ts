export { MemoryElectionBackend } from './memory-election-backend.js';
export { MemoryElectionStore, type MemoryLease, StoreDisconnectedError } from './memory-election-store.js';
