import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';
import { ClusterFactsReader, type ClusterFacts } from './cluster-facts-reader.js';
import { assessCluster, type ClusterHealthDetails, type ClusterHealthOptions } from './cluster-health.js';

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
    const reader = (this.reader ??= new ClusterFactsReader(cluster));
    const [facts, { backlog }] = await Promise.all([
      reader.read().catch(() => null),
      cluster.deliveryStats(),
    ]);
    const unreadableFor = cluster.unreadableFor();
    const { status, ...assessment } = assessCluster(
      {
        redisReachable: facts !== null,
        masterLacksDescriptors: facts?.masterLacksDescriptors ?? false,
        refusedRead: facts?.refusedRead ?? null,
        unreadableFor,
        unconfirmedFor: this.unconfirmedFor(facts),
        withoutWorkersFor: this.withoutWorkersFor(facts),
        pendingCall: cluster.pendingCall,
      },
      options,
    );
    const details: ClusterHealthDetails = {
      role: cluster.election.getIsMaster() ? 'master' : 'slave',
      redis: facts === null ? 'unreadable' : 'readable',
      workers: facts?.workers ?? null,
      subscriptions: facts?.subscriptions ?? null,
      desired: facts?.desired ?? null,
      asOf: asOf(facts),
      backlog,
      retiredConnections: cluster.retiredConnections,
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
