import type { MemoryElectionStore } from '@detector-cluster/election/memory';
import type { BenchBackend } from '../bench-backend.js';

/** Its messages are the members' calls to take, renew and release the lease. */
export const memoryBackend: BenchBackend = {
  store: null,
  heartbeatMs: 10_000,
  open: async () => {
    const memory = await import('@detector-cluster/election/memory');
    let calls = 0;
    class CountedStore extends memory.MemoryElectionStore {
      override acquire(...args: Parameters<MemoryElectionStore['acquire']>) {
        calls++;
        return super.acquire(...args);
      }

      override renew(...args: Parameters<MemoryElectionStore['renew']>) {
        calls++;
        return super.renew(...args);
      }

      override release(owner: string): void {
        calls++;
        super.release(owner);
      }
    }
    const store = new CountedStore();
    return {
      member: () => new memory.MemoryElectionBackend({ store }),
      sent: () => calls,
      close: () => Promise.resolve(),
    };
  },
};
