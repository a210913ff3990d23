import type { MasterElectionStatus } from '../status/master-election-status.js';
import type { ElectionHealthOptions } from './election-health-options.js';

/** How healthy an election is, with the reason where it is not. */
export type ElectionHealth =
  { readonly status: 'up' } | { readonly status: 'degraded' | 'down'; readonly reason: string };

type Limits = Omit<ElectionHealthOptions, 'election'>;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Judges what a process knows of its election. The worse of two problems counts, and the store's before the leader's. */
export function assessElection(status: MasterElectionStatus, limits: Limits): ElectionHealth {
  const { lockTtl, leaderlessFor, storeFailingFor, hasKnownLeader, role, mayAct } = status;
  const { requireLeader = true, maxLeaderless = lockTtl, maxStoreOutage = lockTtl } = limits;
  const problems: Exclude<ElectionHealth, { status: 'up' }>[] = [];
  const problem = (isDown: boolean, reason: string) =>
    problems.push({ status: isDown ? 'down' : 'degraded', reason });
  if (storeFailingFor !== null)
    problem(storeFailingFor > maxStoreOutage, `the store has failed for ${seconds(storeFailingFor)}`);
  if (requireLeader && leaderlessFor !== null)
    if (hasKnownLeader)
      problem(leaderlessFor > maxLeaderless, `no process has led for ${seconds(leaderlessFor)}`);
    else problem(true, 'no process leads yet');
  if (role === 'master' && !mayAct)
    problem(false, 'this process is master but may not act: its lease is unconfirmed');
  return problems.find(({ status: found }) => found === 'down') ?? problems[0] ?? { status: 'up' };
}
