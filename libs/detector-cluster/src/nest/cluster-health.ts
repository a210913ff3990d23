import { STALE_AFTER } from '../operators/master-heartbeat.js';
import type { PendingCall } from '../shared/application-calls.js';
import { NO_DESCRIPTOR } from '../workers/dial-problem.js';
import type { SubscriptionsByStatus } from '../shared/cluster-state.js';
import type { WorkersByState } from './cluster-facts-reader.js';

/** When the cluster counts as unhealthy. All durations in milliseconds. */
export interface ClusterHealthOptions {
  /**
   * Whether the cluster is `down` when no worker has been ready for longer than `maxWithoutWorkers` although subscriptions
   * are desired. Default `false`: it is `degraded`, because readiness that fails on every process at once takes the whole
   * service away, and brings no worker back.
   */
  readonly requireWorkers?: boolean;
  /** How long no worker may be ready, measured from check to check of this process. Default 30,000. */
  readonly maxWithoutWorkers?: number;
  /** How long this process may be unable to read its detections. Default 10,000. */
  readonly maxUnreadable?: number;
  /** How long no master may have confirmed the cluster's state before the cluster is `down`. Default 10,000. */
  readonly maxUnconfirmed?: number;
}

/** The details of the health indicator beside the status. */
export type ClusterHealthDetails = {
  /** Why it is not `up`. */
  readonly reason?: string;
  readonly role: 'master' | 'slave';
  /** Whether Redis could be read just now. */
  readonly redis: 'readable' | 'unreadable';
  /** The figures that the master last wrote; null while Redis cannot be read. */
  readonly workers: WorkersByState | null;
  readonly subscriptions: SubscriptionsByStatus | null;
  /** How many subscriptions should run. */
  readonly desired: number | null;
  /** Unfinished detections of this process. */
  readonly backlog: number;
  /** Connections to workers that this process keeps, open and silent, after its time as master. */
  readonly retiredConnections: number;
  /** When a master last confirmed these figures, ISO 8601; null when no master did, or while Redis cannot be read. */
  readonly asOf: string | null;
  /** How long this process has not been able to read its detections; null while it is. Milliseconds. */
  readonly unreadableFor: number | null;
};

/** The facts that decide the status. Durations in milliseconds; null: the condition does not hold. */
export interface ClusterCondition {
  readonly redisReachable: boolean;
  /** Whether the master could not dial a worker, because it had too many files and connections open. */
  readonly masterLacksDescriptors: boolean;
  /** Why the master refuses what the database says. */
  readonly refusedRead: string | null;
  readonly unreadableFor: number | null;
  /** How long no master has confirmed the state that is read. */
  readonly unconfirmedFor: number | null;
  /** How long no worker has been ready although subscriptions are desired. */
  readonly withoutWorkersFor: number | null;
  /** The pending callback of the application. */
  readonly pendingCall: PendingCall | null;
}

type ClusterHealth =
  { readonly status: 'up' } | { readonly status: 'degraded' | 'down'; readonly reason: string };

/** A callback of the application that takes longer than this is mentioned. Milliseconds. */
const MAX_PENDING = 5_000;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** The worst problem counts. Of equally bad problems, the first one counts. */
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
  if (condition.masterLacksDescriptors) problem(false, NO_DESCRIPTOR);
  if (condition.refusedRead !== null) problem(false, condition.refusedRead);
  if (withoutWorkersFor !== null && withoutWorkersFor > maxWithoutWorkers)
    problem(requireWorkers, `no worker has been ready for ${seconds(withoutWorkersFor)}`);
  if (pendingCall !== null && pendingCall.pendingFor > MAX_PENDING)
    problem(false, `${pendingCall.callback} has not answered for ${seconds(pendingCall.pendingFor)}`);
  return problems.find(({ status }) => status === 'down') ?? problems[0] ?? { status: 'up' };
}
