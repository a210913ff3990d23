/**
 * Metrics of the cluster for `prom-client`.
 *
 * @example
 * ```ts
 * import { DetectorClusterMetricsModule } from '@detector-cluster/detector-cluster/metrics';
 * import { Module } from '@nestjs/common';
 *
 * @Module({ imports: [DetectorClusterMetricsModule.register()] })
 * export class AppModule {}
 * ```
 * @packageDocumentation
 */
import { oncePerRegistry } from '@detector-cluster/election/internal';
import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { register, type Registry } from 'prom-client';
import { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';
import { ClusterMetrics, measuredCluster } from './cluster-metrics.js';

/** Options of `DetectorClusterMetricsModule.register`. */
export interface DetectorClusterMetricsOptions {
  /** Default: that of prom-client. */
  readonly registry?: Registry;
}

/** Injection token of `DetectorClusterMetricsOptions`. */
const DETECTOR_CLUSTER_METRICS_OPTIONS = Symbol('DETECTOR_CLUSTER_METRICS_OPTIONS');

/** Registers the metrics of the detector cluster with prom-client, from before its start to its end. */
@Module({})
export class DetectorClusterMetricsModule implements OnModuleInit, OnApplicationShutdown {
  static register(options: DetectorClusterMetricsOptions = {}): DynamicModule {
    return {
      module: DetectorClusterMetricsModule,
      providers: [{ provide: DETECTOR_CLUSTER_METRICS_OPTIONS, useValue: options }],
    };
  }

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

const metricsOf = oncePerRegistry(
  'detector_cluster_workers',
  (registry: Registry) => new ClusterMetrics(registry),
);

/**
 * Registers the metrics of a cluster, `detector_cluster_*`, with prom-client's default registry or another.
 * `DetectorClusterMetricsModule` does it at the right time.
 * @returns a function that ends it
 */
export function registerDetectorClusterMetrics(
  cluster: MasterSlaveWorkerCluster,
  registry: Registry = register,
): () => void {
  const metrics = metricsOf(registry);
  const measured = measuredCluster(cluster);
  metrics.add(measured);
  return () => metrics.remove(measured);
}
