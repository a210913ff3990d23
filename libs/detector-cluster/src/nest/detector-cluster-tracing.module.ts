/**
 * Spans of each detection for OpenTelemetry.
 *
 * @example
 * ```ts
 * import { DetectorClusterTracingModule } from '@detector-cluster/detector-cluster/tracing';
 * import { Module } from '@nestjs/common';
 *
 * @Module({ imports: [DetectorClusterTracingModule.register()] })
 * export class AppModule {}
 * ```
 * @packageDocumentation
 */
import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { trace, type TracerProvider } from '@opentelemetry/api';
import { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';
import { OpenTelemetryTracer } from './open-telemetry-tracer.js';

export type { DetectionTracer } from '@detector-cluster/delivery/internal';

/** Options of `DetectorClusterTracingModule.register`. */
export interface DetectorClusterTracingOptions {
  /** Where spans go. Default the global one, which an SDK may also register later. */
  readonly tracerProvider?: TracerProvider;
}

/** Injection token of `DetectorClusterTracingOptions`. */
const DETECTOR_CLUSTER_TRACING_OPTIONS = Symbol('DETECTOR_CLUSTER_TRACING_OPTIONS');

/** Name of the instrumentation scope. */
const SCOPE = '@detector-cluster/detector-cluster';

/** Makes OpenTelemetry spans of every detection, from the worker's frame to the callbacks. Wants the module in every process. */
@Module({})
export class DetectorClusterTracingModule implements OnModuleInit, OnApplicationShutdown {
  static register(options: DetectorClusterTracingOptions = {}): DynamicModule {
    return {
      module: DetectorClusterTracingModule,
      providers: [{ provide: DETECTOR_CLUSTER_TRACING_OPTIONS, useValue: options }],
    };
  }

  constructor(
    @Inject(DETECTOR_CLUSTER_TRACING_OPTIONS) private readonly options: DetectorClusterTracingOptions,
    private readonly moduleRef: ModuleRef,
  ) {}

  onModuleInit(): void {
    const { keys, tracing } = this.cluster;
    const tracer = (this.options.tracerProvider ?? trace).getTracer(SCOPE);
    tracing.current = new OpenTelemetryTracer(tracer, keys);
  }

  onApplicationShutdown(): void {
    this.cluster.tracing.current = null;
  }

  private get cluster(): MasterSlaveWorkerCluster {
    return this.moduleRef.get(MasterSlaveWorkerCluster, { strict: false });
  }
}
