import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ClusterHandlerExplorer } from './cluster-handler.explorer.js';
import { DetectorCluster } from '../node/detector-cluster.js';
import { SubscriptionTrigger } from '../sources/subscription-trigger.js';
import { FakeDetectorCluster, type FakeDetectorClusterOptions } from './fake-detector-cluster.js';

/**
 * Takes the place of `DetectorClusterModule` in unit tests: provides a {@link FakeDetectorCluster}, and calls decorated methods such as
 * those of `@OnDetection`.
 */
@Module({})
export class DetectorClusterTestingModule {
  static register({
    isGlobal = false,
    ...options
  }: FakeDetectorClusterOptions & { readonly isGlobal?: boolean } = {}): DynamicModule {
    return {
      module: DetectorClusterTestingModule,
      global: isGlobal,
      imports: [DiscoveryModule],
      providers: [
        { provide: FakeDetectorCluster, useFactory: () => new FakeDetectorCluster(options) },
        { provide: DetectorCluster, useExisting: FakeDetectorCluster },
        {
          provide: SubscriptionTrigger,
          useFactory: (cluster: FakeDetectorCluster) => cluster.subscriptionTrigger,
          inject: [FakeDetectorCluster],
        },
        ClusterHandlerExplorer,
      ],
      exports: [FakeDetectorCluster, DetectorCluster, SubscriptionTrigger],
    };
  }
}
