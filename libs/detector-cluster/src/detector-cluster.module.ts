import { MasterElection } from '@detector-cluster/master-election';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MasterSlaveWorkerCluster } from './cluster/master-slave-worker-cluster.js';
import { ClusterHandlerExplorer } from './decorators/cluster-handler.explorer.js';
import { ClusterHandlerOrchestrator } from './decorators/cluster-handler.orchestrator.js';
import { DetectorCluster } from './detector-cluster.js';
import { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } from './detector-cluster.module-definition.js';
import { CLUSTER_OPTIONS } from './options/cluster-options.token.js';
import type { DetectorClusterOptions } from './options/detector-cluster-options.js';
import { resolveOptions, type ResolvedDetectorClusterOptions } from './options/resolve-options.js';
import { MasterChangeFeed } from './trigger/change-feed/master-change-feed.js';
import { SubscriptionTrigger } from './trigger/subscription-trigger.js';

/**
 * One WebSocket to every detector worker, held by the elected master; subscriptions as the database wants them;
 * detections in the callbacks of every process. Needs `MasterElectionModule`, global or imported alongside.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: CLUSTER_OPTIONS,
      useFactory: (raw: DetectorClusterOptions, election: MasterElection) =>
        resolveOptions(raw, election.getLockName()),
      inject: [MODULE_OPTIONS_TOKEN, MasterElection],
    },
    {
      provide: SubscriptionTrigger,
      useFactory: (
        options: ResolvedDetectorClusterOptions,
        { redis, election }: MasterSlaveWorkerCluster,
      ) => {
        const trigger = options.trigger ?? new SubscriptionTrigger(options);
        trigger.share(redis, election.getNodeId());
        return trigger;
      },
      inject: [CLUSTER_OPTIONS, MasterSlaveWorkerCluster],
    },
    MasterSlaveWorkerCluster,
    MasterChangeFeed,
    DetectorCluster,
    ClusterHandlerOrchestrator,
    ClusterHandlerExplorer,
  ],
  exports: [DetectorCluster, SubscriptionTrigger],
})
export class DetectorClusterModule extends ConfigurableModuleClass implements OnApplicationShutdown {
  constructor(
    @Inject(CLUSTER_OPTIONS) private readonly options: ResolvedDetectorClusterOptions,
    private readonly trigger: SubscriptionTrigger,
  ) {
    super();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.options.trigger === null) await this.trigger.close();
    else this.trigger.unshare();
  }
}
