import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchCandidate, withCandidates } from '../election/bench-candidate.js';
import { roundTo } from '../support/percentile.js';
import type { BenchBackend, BenchElection, ElectionSetting } from './bench-backends.js';
import { CountingProxy } from './counting/counting-proxy.js';
import { framings } from './counting/framings.js';

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
    await election.close?.();
    await forget?.(setting);
  }
}

/** Time to wait after an election, until the cluster is idle. Milliseconds. */
const SETTLE = 4_000;

/** The longest interval of all backends. Milliseconds. */
const WINDOW = 10_000;

/** Runs work sequentially. */
export type InTurn = (work: () => Promise<unknown>) => Promise<unknown>;

/**
 * Average number of messages that each of `size` members sends per second while one of them leads and nothing happens.
 * @param inTurn Members start in it, because hundreds at once would not answer in time.
 */
export async function steadyMessages(
  backend: BenchBackend,
  url: string,
  size: number,
  inTurn: InTurn,
): Promise<number> {
  const proxy = backend.store === null ? undefined : await CountingProxy.to(url, framings[backend.store]);
  try {
    return await withElection(backend, proxy?.url ?? url, (election) => {
      const members = Array.from({ length: size }, () => election.member());
      return withCandidates(members, async (candidates) => {
        const begun = () => Promise.all(candidates.map((candidate) => candidate.untilLeaderKnown()));
        await (backend.waits ? begun() : inTurn(begun));
        await sleep(SETTLE);
        const leader = soleLeader(candidates);
        const [begin, before] = [performance.now(), messagesOf(election, proxy)];
        await sleep(WINDOW);
        const [seconds, messages] = [
          (performance.now() - begin) / 1_000,
          messagesOf(election, proxy) - before,
        ];
        if (soleLeader(candidates) !== leader) throw new Error('another one was elected in the meantime');
        return roundTo(messages / size / seconds, 3);
      });
    });
  } finally {
    await proxy?.stop();
  }
}

function messagesOf(election: BenchElection, proxy: CountingProxy | undefined): number {
  return (proxy?.count ?? 0) + (election.sent?.() ?? 0);
}

function soleLeader(candidates: readonly BenchCandidate[]): BenchCandidate {
  const [leader, ...others] = candidates.filter(({ leads }) => leads);
  if (!leader || others.length > 0) throw new Error('not exactly one member leads');
  return leader;
}
