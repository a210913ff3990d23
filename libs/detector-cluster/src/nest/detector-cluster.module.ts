import {
  type BeforeApplicationShutdown,
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { failTogether } from '@detector-cluster/election/internal';
import {
  MASTER_ELECTION_OPTIONS,
  MasterElection,
  type MasterElectionOptions,
  RESOLVED_MASTER_ELECTION_OPTIONS,
  type ResolvedMasterElectionOptions,
} from '@detector-cluster/master-election';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import {
  CLUSTER_ELECTION,
  CLUSTER_OPTIONS,
  type DetectorClusterOptions,
} from '../options/detector-cluster-options.js';
import { InvalidDetectorClusterOptionsError } from '../shared/invalid-detector-cluster-options.error.js';
import { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';
import { ClusterHandlerExplorer } from './cluster-handler.explorer.js';
import { DetectorCluster } from '../node/detector-cluster.js';
import { resolveOptions, type ResolvedDetectorClusterOptions } from '../options/resolve-options.js';
import { MasterChangeFeed } from '../node/master-change-feed.js';
import { SubscriptionTrigger } from '../sources/subscription-trigger.js';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<DetectorClusterOptions>({ moduleName: 'DetectorCluster' })
    .setClassMethodName('forRoot')
    .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();

const CHECKED = Symbol('DETECTOR_CLUSTER_CHECKED');

const clusters = new WeakSet<ModulesContainer>();

/** Finds problems before the election is ready, so that those of both modules are reported together. */
async function checkOptions(
  raw: DetectorClusterOptions,
  application: ModulesContainer,
  election: Partial<MasterElectionOptions> | undefined,
): Promise<void> {
  try {
    if (clusters.has(application))
      throw new InvalidDetectorClusterOptionsError([
        'forRoot: is set up twice in one application: import one module where it is needed, or set isGlobal',
      ]);
    clusters.add(application);
    resolveOptions(raw, typeof election?.lockName === 'string' ? election.lockName : undefined);
  } catch (error) {
    await failTogether(application, error as Error);
  }
}

/** Nest would name a symbol or a class, not the module that is missing. */
function requireElection(
  _checked: void,
  election: MasterElection | undefined,
  imported: ResolvedMasterElectionOptions | undefined,
): MasterElection {
  if (election !== undefined) return election;
  throw new InvalidDetectorClusterOptionsError([
    imported === undefined
      ? 'MasterElectionModule: is missing: import MasterElectionModule.forRoot({ redis, isGlobal: true }) beside DetectorClusterModule'
      : 'MasterElectionModule: is not visible to DetectorClusterModule: give its forRoot the option isGlobal: true',
  ]);
}

/**
 * The elected master holds one WebSocket to every detector worker and keeps the subscriptions as the database defines them. Detections
 * reach the callbacks of every process. Needs `MasterElectionModule`, global or imported alongside.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: CHECKED,
      useFactory: checkOptions,
      inject: [MODULE_OPTIONS_TOKEN, ModulesContainer, { token: MASTER_ELECTION_OPTIONS, optional: true }],
    },
    {
      provide: CLUSTER_ELECTION,
      useFactory: requireElection,
      inject: [
        CHECKED,
        { token: MasterElection, optional: true },
        { token: RESOLVED_MASTER_ELECTION_OPTIONS, optional: true },
      ],
    },
    {
      provide: CLUSTER_OPTIONS,
      useFactory: (raw: DetectorClusterOptions, election: MasterElection) =>
        resolveOptions(raw, election.getLockName()),
      inject: [MODULE_OPTIONS_TOKEN, CLUSTER_ELECTION],
    },
    {
      provide: SubscriptionTrigger,
      useFactory: (
        options: ResolvedDetectorClusterOptions,
        { redis, election }: MasterSlaveWorkerCluster,
      ) => {
        const trigger =
          options.trigger ?? new SubscriptionTrigger({ redis: options.redis, keyPrefix: options.keyPrefix });
        trigger.share(redis, election.getNodeId());
        return trigger;
      },
      inject: [CLUSTER_OPTIONS, MasterSlaveWorkerCluster],
    },
    MasterSlaveWorkerCluster,
    MasterChangeFeed,
    DetectorCluster,
    ClusterHandlerExplorer,
  ],
  exports: [DetectorCluster, SubscriptionTrigger],
})
export class DetectorClusterModule
  extends ConfigurableModuleClass
  implements BeforeApplicationShutdown, OnApplicationShutdown
{
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
