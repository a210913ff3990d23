import { Module, type DynamicModule } from '@nestjs/common';
import type { DetectorClusterTracingOptions } from './detector-cluster-tracing-options.js';
import { DetectorClusterTracingService } from './detector-cluster-tracing.service.js';
import { DETECTOR_CLUSTER_TRACING_OPTIONS } from './detector-cluster-tracing.tokens.js';

/** Makes OpenTelemetry spans of every detection, from the worker's frame to the callbacks. Wants the module in every process. */
@Module({})
export class DetectorClusterTracingModule {
  static register(options: DetectorClusterTracingOptions = {}): DynamicModule {
    return {
      module: DetectorClusterTracingModule,
      providers: [
        { provide: DETECTOR_CLUSTER_TRACING_OPTIONS, useValue: options },
        DetectorClusterTracingService,
      ],
    };
  }
}
