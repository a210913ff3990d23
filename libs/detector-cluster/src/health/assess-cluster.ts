import type { PendingCall } from '../util/application-calls.js';
import { STALE_AFTER } from '../state/master-heartbeat.js';
import type { ClusterHealthOptions } from './cluster-health-options.js';

/** What is judged. All durations in milliseconds, null where it is not so. */
export interface ClusterCondition {
  readonly redisReachable: boolean;
  readonly unreadableFor: number | null;
  /** How long no master has confirmed the state that is read. */
  readonly unconfirmedFor: number | null;
  /** How long no worker has been ready although subscriptions are desired. */
  readonly withoutWorkersFor: number | null;
  /** A callback of the application that has not answered. */
  readonly pendingCall: PendingCall | null;
}

export type ClusterHealth =
  { readonly status: 'up' } | { readonly status: 'degraded' | 'down'; readonly reason: string };

/** Longer than a callback of the application may take without being mentioned. Milliseconds. */
const MAX_PENDING = 5_000;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** The worst problem counts; of equals the first. */
export function assessCluster(condition: ClusterCondition, limits: ClusterHealthOptions): ClusterHealth {
  const { redisReachable, unreadableFor, unconfirmedFor, withoutWorkersFor, pendingCall } = condition;
  const {
    maxUnreadable = 10_000,
    maxUnconfirmed = STALE_AFTER,
    maxWithoutWorkers = 30_000,
    requireWorkers = false,
  } = limits;
  const problems: Exclude<ClusterHealth, { status: 'up' }>[] = [];
  const problem = (isDown: boolean, reason: string) =>
    problems.push({ status: isDown ? 'down' : 'degraded', reason });
  if (!redisReachable) problem(true, 'Redis cannot be read');
  if (unreadableFor !== null)
    problem(
      unreadableFor > maxUnreadable,
      `this process has not been able to read detections for ${seconds(unreadableFor)}`,
    );
  if (unconfirmedFor !== null && unconfirmedFor > maxUnconfirmed)
    problem(true, `no master has written the cluster's state for ${seconds(unconfirmedFor)}`);
  if (withoutWorkersFor !== null && withoutWorkersFor > maxWithoutWorkers)
    problem(requireWorkers, `no worker has been ready for ${seconds(withoutWorkersFor)}`);
  if (pendingCall !== null && pendingCall.pendingFor > MAX_PENDING)
    problem(false, `${pendingCall.callback} has not answered for ${seconds(pendingCall.pendingFor)}`);
  return problems.find(({ status }) => status === 'down') ?? problems[0] ?? { status: 'up' };
}
