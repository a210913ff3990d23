import { MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import { clusterKeys, FencedStore } from '@detector-cluster/detector-cluster/store';
import { MasterElection } from '@detector-cluster/master-election';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { DatabaseHealth } from '../stores/database-health.js';
import { SharedRedis } from '../stores/shared-redis.js';
import { alertsKey } from './alert-record.js';
import { receiversOf } from './alert-receivers.js';
import { AlertTerm } from './alert-term.js';
import type { ClusterFacts } from './conditions.js';
import { postMessage } from './post-message.js';

/** Evaluates the alerts while this process is master, for the pages of all processes and for the receivers. */
@Injectable()
export class MasterAlerts implements OnModuleInit, BeforeApplicationShutdown {
  private readonly followers = new Set<string>();
  private term: AlertTerm | null = null;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly redis: SharedRedis,
    private readonly election: MasterElection,
    private readonly database: DatabaseHealth,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    const { election, followers } = this;
    election.on('slave-registered', ({ nodeId }) => followers.add(nodeId));
    election.on('slave-removed', (nodeId) => followers.delete(nodeId));
    election.on('master-acquired', () => this.begin());
    election.on('master-lost', () => this.end());
  }

  beforeApplicationShutdown(): void {
    this.end();
  }

  private begin(): void {
    const { config, election, redis } = this;
    const { lease } = election;
    if (lease === null) return;
    const { keyPrefix } = config.cluster;
    const cluster = this.modules.get(MasterSlaveWorkerCluster, { strict: false });
    this.term = new AlertTerm({
      store: new FencedStore(redis.commands, clusterKeys(keyPrefix).fence, lease.term),
      key: alertsKey(keyPrefix),
      receivers: receiversOf(config.alerts, election.name),
      facts: () => (lease.isValid() ? this.facts(cluster) : null),
      counts: () => ({
        moved: cluster.figures.movesBegun['worker-offline'],
        failed: cluster.figures.movesEnded.failed,
      }),
      post: postMessage,
      logger: new Logger('alerts'),
    });
  }

  private end(): void {
    this.term?.end();
    this.term = null;
    this.followers.clear();
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
