import { randomUUID } from 'node:crypto';
import type { BenchBackend, BenchElection, ElectionSetting } from './bench-backend.js';

/** Runs `work` with a new election, which is removed afterwards. */
export async function withElection<T>(
  { open, forget }: BenchBackend,
  url: string,
  work: (election: BenchElection) => Promise<T>,
): Promise<T> {
  const setting: ElectionSetting = { url, lock: `bench-${randomUUID()}` };
  const election = await open(setting);
  try {
    return await work(election);
  } finally {
    await election.close();
    await forget?.(setting);
  }
}
