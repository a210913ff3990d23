import type { MasterElectionStatus } from '../participant/status-tracker.js';
import type { ElectionHealthOptions } from './master-election.health-indicator.js';

/** Health of an election, with the reason if it is not `up`. */
type ElectionHealth =
  { readonly status: 'up' } | { readonly status: 'degraded' | 'down'; readonly reason: string };

type Limits = Omit<ElectionHealthOptions, 'election'>;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Assesses an election by its status. The worse of two problems counts; of two equal ones, that of the store. */
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
