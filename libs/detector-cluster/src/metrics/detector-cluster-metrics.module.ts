import { Module, type DynamicModule } from '@nestjs/common';
import { DETECTOR_CLUSTER_METRICS_OPTIONS } from './detector-cluster-metrics.tokens.js';
import type { DetectorClusterMetricsOptions } from './detector-cluster-metrics-options.js';
import { DetectorClusterMetricsService } from './detector-cluster-metrics.service.js';

/** Registers the metrics of the detector cluster with prom-client when the application starts. */
@Module({})
export class DetectorClusterMetricsModule {
  static register(options: DetectorClusterMetricsOptions = {}): DynamicModule {
    return {
      module: DetectorClusterMetricsModule,
      providers: [
        { provide: DETECTOR_CLUSTER_METRICS_OPTIONS, useValue: options },
        DetectorClusterMetricsService,
      ],
    };
  }
}
