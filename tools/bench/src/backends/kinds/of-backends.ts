import type { ElectionBackend } from '@detector-cluster/election';
import type { BenchElection } from '../bench-backend.js';

/** An election whose members share nothing and send all messages to the store. */
export function ofBackends(member: () => ElectionBackend): BenchElection {
  return { member, sent: () => 0, close: () => Promise.resolve() };
}
