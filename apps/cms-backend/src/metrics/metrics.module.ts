import { DetectorClusterMetricsModule } from '@detector-cluster/detector-cluster/metrics';
import { MasterElectionMetricsModule } from '@detector-cluster/master-election/metrics';
import { Module, type DynamicModule } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { MetricsController } from './metrics.controller.js';

/** Metrics of this process, of its election and of its cluster, at `/metrics`. */
@Module({})
export class MetricsModule {
  static forRoot(): DynamicModule {
    // One registry per application: tests start several applications in one process.
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    return {
      module: MetricsModule,
      imports: [
        MasterElectionMetricsModule.register({ registry }),
        DetectorClusterMetricsModule.register({ registry }),
      ],
      controllers: [MetricsController],
      providers: [{ provide: Registry, useValue: registry }],
    };
  }
}
