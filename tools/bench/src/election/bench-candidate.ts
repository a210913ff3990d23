import type { ElectionBackend } from '@detector-cluster/election';
import { randomUUID } from 'node:crypto';

/** Runs `work` with one candidate per backend, and closes the backends afterwards. */
export async function withCandidates<T>(
  backends: readonly ElectionBackend[],
  work: (candidates: readonly BenchCandidate[]) => Promise<T>,
): Promise<T> {
  const candidates = backends.map((backend) => new BenchCandidate(backend));
  try {
    return await work(candidates);
  } finally {
    await Promise.all(candidates.map((candidate) => candidate.close()));
  }
}

/** A candidate that competes and reports when it first knows the leader. */
export class BenchCandidate {
  /** Whether it leads, by its last notification. */
  leads = false;
  private readonly end = new AbortController();
  private campaign: Promise<void> | undefined;

  constructor(private readonly backend: ElectionBackend) {}

  /** Resolves when this candidate knows the leader, itself or another. The candidate continues to compete. */
  untilLeaderKnown(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.campaign = this.compete(resolve).catch(reject);
    });
  }

  async close(): Promise<void> {
    this.end.abort();
    await this.campaign;
    await this.backend.close();
  }

  private async compete(known: () => void): Promise<void> {
    const states = this.backend.campaign({ id: `bench:${randomUUID()}` }, this.end.signal);
    for await (const state of states) {
      if (state.role === 'leader' || state.role === 'follower') this.leads = state.role === 'leader';
      if (this.leads || (state.role === 'follower' && state.leaderId !== null)) known();
    }
  }
}
