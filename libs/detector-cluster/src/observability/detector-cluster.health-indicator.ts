import {
  ClusterFactsReader,
  type SubscriptionsByStatus,
  type WorkersByState,
  type ClusterFacts,
} from '../state/cluster-facts.js';
import { Injectable, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { HealthIndicatorService, TerminusModule, type HealthIndicatorResult } from '@nestjs/terminus';
import { MasterSlaveWorkerCluster } from '../cluster/master-slave-worker-cluster.js';
import { STALE_AFTER } from '../state/master-heartbeat.js';
import type { PendingCall } from '../util/application-calls.js';

/** When the cluster counts as unhealthy. All durations in milliseconds. */
export interface ClusterHealthOptions {
  /**
   * Whether the cluster is `down` when no worker has been ready for longer than `maxWithoutWorkers` although subscriptions
   * are desired. Default `false`: it is `degraded`, because readiness that fails on every process at once takes the whole
   * service away, and brings no worker back.
   */
  readonly requireWorkers?: boolean;
  /** How long no worker may be ready, as far as this process has been asked. Default 30,000. */
  readonly maxWithoutWorkers?: number;
  /** How long this process may be unable to read its detections. Default 10,000. */
  readonly maxUnreadable?: number;
  /** How long no master may have confirmed the cluster's state before the cluster is `down`. Default 10,000. */
  readonly maxUnconfirmed?: number;
}

/** What the health indicator tells beside the status. */
export type ClusterHealthDetails = {
  /** Why it is not `up`. */
  readonly reason?: string;
  readonly role: 'master' | 'slave';
  /** Whether Redis could be read just now. */
  readonly redis: 'reachable' | 'unreachable';
  /** As the master last wrote it; null while Redis cannot be read. */
  readonly workers: WorkersByState | null;
  readonly subscriptions: SubscriptionsByStatus | null;
  /** How many subscriptions should run. */
  readonly desired: number | null;
  /** Detections for this process that are not done. */
  readonly backlog: number;
  /** When a master last confirmed these figures, ISO 8601; null when no master did, or while Redis cannot be read. */
  readonly asOf: string | null;
  /** How long this process has not been able to read its detections; null while it is. Milliseconds. */
  readonly unreadableFor: number | null;
};

type Status = 'up' | 'degraded' | 'down';

/**
 * Health of the detector cluster for `@nestjs/terminus`; the same on the master and every other process. `down` when Redis
 * cannot be read, and when this process has not been able to read its detections for too long; `degraded`, which terminus
 * does not count as a failure, for problems that are not its own. The election's indicator says whether a process leads.
 */
@Injectable()
export class DetectorClusterHealthIndicator {
  private reader: ClusterFactsReader | undefined;
  /** Monotonic milliseconds. */
  private withoutWorkersSince: number | null = null;
  private unconfirmedSince: number | null = null;

  constructor(
    private readonly health: HealthIndicatorService,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * Never rejects for what is wrong with the cluster; takes about 1 s at most.
   * @throws RangeError for a limit that is no duration; what Nest throws for an application without `DetectorClusterModule`
   */
  async isHealthy<const Key extends string>(
    key: Key,
    options: ClusterHealthOptions = {},
  ): Promise<HealthIndicatorResult<Key, Status, ClusterHealthDetails>> {
    for (const name of ['maxWithoutWorkers', 'maxUnreadable', 'maxUnconfirmed'] as const)
      if (options[name] !== undefined && !(options[name] >= 0))
        throw new RangeError(
          `${name} must be a number of milliseconds from 0 on, not ${String(options[name])}`,
        );
    const cluster = this.moduleRef.get(MasterSlaveWorkerCluster, { strict: false });
    const reader = (this.reader ??= new ClusterFactsReader(cluster.redis, cluster.keys));
    const [facts, { backlog }] = await Promise.all([
      reader.read().catch(() => null),
      cluster.deliveryStats(),
    ]);
    const unreadableFor = cluster.unreadableFor();
    const { status, ...assessment } = assessCluster(
      {
        redisReachable: facts !== null,
        unreadableFor,
        unconfirmedFor: this.unconfirmedFor(facts),
        withoutWorkersFor: this.withoutWorkersFor(facts),
        pendingCall: cluster.pendingCall,
      },
      options,
    );
    const details: ClusterHealthDetails = {
      role: cluster.election.getIsMaster() ? 'master' : 'slave',
      redis: facts === null ? 'unreachable' : 'reachable',
      workers: facts?.workers ?? null,
      subscriptions: facts?.subscriptions ?? null,
      desired: facts?.desired ?? null,
      asOf: asOf(facts),
      backlog,
      unreadableFor,
      ...assessment,
    };
    const session = this.health.check(key);
    if (status === 'up') return session.up<ClusterHealthDetails>(details);
    return status === 'degraded'
      ? session.degraded<ClusterHealthDetails>(details)
      : session.down<ClusterHealthDetails>(details);
  }

  /** Where no heartbeat can be found, the time counts from the first look that did not find one. */
  private unconfirmedFor(facts: ClusterFacts | null): number | null {
    if (facts === null) return null;
    if (facts.age !== null) {
      this.unconfirmedSince = null;
      return facts.age;
    }
    const now = performance.now();
    this.unconfirmedSince ??= now;
    return now - this.unconfirmedSince;
  }

  /** Measured from call to call, because its beginning is not stored. Facts that cannot be read change nothing. */
  private withoutWorkersFor(facts: ClusterFacts | null): number | null {
    if (facts === null) return null;
    const now = performance.now();
    if (facts.desired === 0 || facts.workers.Ready > 0) this.withoutWorkersSince = null;
    else this.withoutWorkersSince ??= now;
    return this.withoutWorkersSince === null ? null : now - this.withoutWorkersSince;
  }
}

function asOf(facts: ClusterFacts | null): string | null {
  return facts === null || facts.age === null ? null : new Date(Date.now() - facts.age).toISOString();
}

/** Provides {@link DetectorClusterHealthIndicator}. */
@Module({
  imports: [TerminusModule],
  providers: [DetectorClusterHealthIndicator],
  exports: [DetectorClusterHealthIndicator],
})
export class DetectorClusterHealthModule {}

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

type ClusterHealth =
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
