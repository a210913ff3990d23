import { type BeforeApplicationShutdown, ConfigurableModuleBuilder, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CLUSTER_OPTIONS, type DetectorClusterOptions } from './options/detector-cluster-options.js';
import { MasterElection } from '@detector-cluster/master-election';
import { DiscoveryModule } from '@nestjs/core';
import { MasterSlaveWorkerCluster } from './cluster/master-slave-worker-cluster.js';
import { ClusterHandlerExplorer } from './decorators/cluster-handler.explorer.js';
import { ClusterHandlerOrchestrator } from './decorators/cluster-handler.orchestrator.js';
import { DetectorCluster } from './detector-cluster.js';
import { resolveOptions, type ResolvedDetectorClusterOptions } from './options/resolve-options.js';
import { MasterChangeFeed } from './trigger/change-feed/master-change-feed.js';
import { SubscriptionTrigger } from './trigger/subscription-trigger.js';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<DetectorClusterOptions>({ moduleName: 'DetectorCluster' })
    .setClassMethodName('forRoot')
    .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();

/**
 * The elected master holds one WebSocket to every detector worker and keeps the subscriptions as the database defines them. Detections
 * reach the callbacks of every process. Needs `MasterElectionModule`, global or imported alongside.
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
export class DetectorClusterModule extends ConfigurableModuleClass implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(CLUSTER_OPTIONS) private readonly options: ResolvedDetectorClusterOptions,
    private readonly trigger: SubscriptionTrigger,
  ) {
    super();
  }

  /** The connection of the module is still open. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.trigger.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.options.trigger === null) await this.trigger.close();
    else this.trigger.unshare();
  }
}
