export { MemoryElectionBackend } from './memory-election-backend.js';
export { MemoryElectionStore, type MemoryLease } from './memory-election-store.js';
export { StoreDisconnectedError } from './store-disconnected.error.js';
