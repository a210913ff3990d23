import { MemoryElectionBackend } from '../backends/memory/memory-election-backend.js';
import { MemoryElectionStore } from '../backends/memory/memory-election-store.js';
import type { ElectionHarness } from '../testing/election-harness.js';

/** An election in memory, in real time. */
export function memoryHarness(): ElectionHarness {
  const store = new MemoryElectionStore({ lockTtl: 1_000 });
  return {
    failoverWithin: store.lockTtl + 100,
    createBackend: (clock) => new MemoryElectionBackend({ store, clock }),
    cut: (backend) => (backend as MemoryElectionBackend).disconnect(),
    dispose: () => Promise.resolve(),
  };
}
