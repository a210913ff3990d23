import type { ElectionHarness } from '../../testing/election-harness.js';
import { describeElectionBackend } from '../../testing/describe-election-backend.js';
import { MemoryElectionBackend } from './memory-election-backend.js';
import { MemoryElectionStore } from './memory-election-store.js';

/** An election in memory, in real time. */
async function memoryHarness(): Promise<ElectionHarness> {
  const store = new MemoryElectionStore({ lockTtl: 1_000 });
  return {
    failoverWithin: store.lockTtl + 100,
    createBackend: (clock) => new MemoryElectionBackend({ store, clock }),
    cut: (backend) => (backend as MemoryElectionBackend).disconnect(),
    dispose: () => Promise.resolve(),
  };
}

describeElectionBackend('memory', memoryHarness);
