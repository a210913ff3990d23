import type { MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import { clusterKeys, FencedStore } from '@detector-cluster/detector-cluster/store';
import { MasterElection } from '@detector-cluster/master-election';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { DatabaseHealth } from '../stores/database-health.js';
import { SharedRedis } from '../stores/shared-redis.js';
import { alertsKey } from './alert-record.js';
import { receiversOf } from './alert-receivers.js';
import { AlertTerm } from './alert-term.js';
import type { ClusterFacts } from './conditions.js';
import { postMessage } from './post-message.js';

/**
 * Evaluates the alerts while this process is master, for the pages of all processes and for the receivers. They belong to the service:
 * their names, delays and labels are those of its rules for Prometheus, and an application with other rules has the metrics of the library.
 */
@Injectable()
export class MasterAlerts implements OnModuleInit {
  private readonly followers = new Set<string>();

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly redis: SharedRedis,
    private readonly election: MasterElection,
    private readonly database: DatabaseHealth,
  ) {}

  onModuleInit(): void {
    const { election, followers } = this;
    election.on('slave-registered', ({ nodeId }) => followers.add(nodeId));
    election.on('slave-removed', (nodeId) => followers.delete(nodeId));
    election.on('master-acquired', ({ term }) => this.begin(term));
    election.on('master-lost', () => followers.clear());
  }

  private begin(term: number): void {
    const { config, election, redis } = this;
    const { lease } = election;
    if (lease?.term !== term) return;
    const { keyPrefix } = config.cluster;
    const { cluster } = redis;
    new AlertTerm({
      signal: lease.signal,
      store: new FencedStore(redis.commands, clusterKeys(keyPrefix).fence, term),
      key: alertsKey(keyPrefix),
      receivers: receiversOf(config.alerts, election.name),
      facts: () => (lease.isValid() ? this.facts(cluster) : null),
      counts: () => ({
        moved: cluster.figures.movesBegun['worker-offline'],
        failed: cluster.figures.movesEnded.failed,
      }),
      post: postMessage,
      logger: new Logger('alerts'),
    }).begin();
  }

  private facts({ workerStates, subscriptionsByStatus }: MasterSlaveWorkerCluster): ClusterFacts | null {
    if (workerStates === null || subscriptionsByStatus === null) return null;
    return {
      workers: workerStates,
      subscriptions: subscriptionsByStatus,
      processes: this.followers.size + 1,
      databaseFails: !this.database.status.ok,
    };
  }
}
