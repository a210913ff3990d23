import { Module, type DynamicModule } from '@nestjs/common';
import { MASTER_ELECTION_METRICS_OPTIONS } from './master-election-metrics.tokens.js';
import type { MasterElectionMetricsOptions } from './master-election-metrics-options.js';
import { MasterElectionMetricsService } from './master-election-metrics.service.js';

/** Registers the metrics of elections with prom-client when the application starts, before the elections do. */
@Module({})
export class MasterElectionMetricsModule {
  static register(options: MasterElectionMetricsOptions = {}): DynamicModule {
    return {
      module: MasterElectionMetricsModule,
      providers: [
        { provide: MASTER_ELECTION_METRICS_OPTIONS, useValue: options },
        MasterElectionMetricsService,
      ],
    };
  }
}
