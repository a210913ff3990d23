import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { MasterSlaveWorkerCluster } from '../cluster/master-slave-worker-cluster.js';
import type { DetectorClusterMetricsOptions } from './detector-cluster-metrics-options.js';
import { DETECTOR_CLUSTER_METRICS_OPTIONS } from './detector-cluster-metrics.tokens.js';
import { registerDetectorClusterMetrics } from './register-detector-cluster-metrics.js';

/** Measures the cluster of the application from before its start to its end. */
@Injectable()
export class DetectorClusterMetricsService implements OnModuleInit, OnApplicationShutdown {
  private end: (() => void) | undefined;

  constructor(
    @Inject(DETECTOR_CLUSTER_METRICS_OPTIONS) private readonly options: DetectorClusterMetricsOptions,
    private readonly moduleRef: ModuleRef,
  ) {}

  onModuleInit(): void {
    const cluster = this.moduleRef.get(MasterSlaveWorkerCluster, { strict: false });
    this.end = registerDetectorClusterMetrics(cluster, this.options.registry);
  }

  onApplicationShutdown(): void {
    this.end?.();
  }
}
