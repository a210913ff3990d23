import type { LogSource, LogStore } from '../../../log/log-store.js';
import type { MemoryLogServer } from './memory-log-server.js';

/** The ports of delivery straight to a server in memory, without a network in between. Reading does not wait. */
export function memoryLogStore(server: MemoryLogServer): LogStore & LogSource {
  return {
    append: async (batches, options) => server.append(batches, options),
    acknowledge: async (acknowledgements) => server.acknowledge(acknowledgements),
    deadLetter: async (letter) => server.deadLetter(letter),
    records: async (logs) => server.records(logs),
    grant: async (term, grants) => server.grant(term, grants),
    release: async (log, process, epoch, rest) => server.release(log, process, epoch, rest),
    seal: async (term, logs) => server.seal(term, logs),
    fetch: async (log, ids) => server.fetch(log, ids),
    read: async (cursors, count) => server.read(cursors, count),
  };
}
