import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { trace } from '@opentelemetry/api';
import { MasterSlaveWorkerCluster } from '../cluster/master-slave-worker-cluster.js';
import type { DetectorClusterTracingOptions } from './detector-cluster-tracing-options.js';
import { DETECTOR_CLUSTER_TRACING_OPTIONS } from './detector-cluster-tracing.tokens.js';
import { OpenTelemetryTracer } from './open-telemetry-tracer.js';

/** Name of the instrumentation scope. */
const SCOPE = '@detector-cluster/detector-cluster';

/** Traces the cluster of the application from before its start to its end. */
@Injectable()
export class DetectorClusterTracingService implements OnModuleInit, OnApplicationShutdown {
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
