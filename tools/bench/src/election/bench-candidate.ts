import { RedisElectionBackend } from '@detector-cluster/election/redis';
import { randomUUID } from 'node:crypto';

/** One candidate with connections of its own, which are closed at the end of `work`. */
export async function withCandidates<T>(
  redis: string,
  count: number,
  work: (candidates: readonly BenchCandidate[]) => Promise<T>,
): Promise<T> {
  const lockName = `bench-${randomUUID()}`;
  const candidates = Array.from({ length: count }, () => new BenchCandidate(redis, lockName));
  try {
    return await work(candidates);
  } finally {
    await Promise.all(candidates.map((candidate) => candidate.close()));
  }
}

/** A candidate that competes until it knows who leads. */
export class BenchCandidate {
  private readonly backend: RedisElectionBackend;
  private readonly end = new AbortController();
  private campaign: Promise<void> | undefined;

  constructor(redis: string, lockName: string) {
    this.backend = new RedisElectionBackend({ redis, lockName, timing: 'fast' });
  }

  /** Resolves when this candidate knows the leader, itself or another; it then goes on competing. */
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
    for await (const state of states)
      if (state.role === 'leader' || (state.role === 'follower' && state.leaderId !== null)) known();
  }
}
