/**
 * Metrics of the election for `prom-client`.
 *
 * @example
 * ```ts
 * import { MasterElectionMetricsModule } from '@detector-cluster/master-election/metrics';
 * import { Module } from '@nestjs/common';
 *
 * @Module({ imports: [MasterElectionMetricsModule.register()] })
 * export class AppModule {}
 * ```
 * @packageDocumentation
 */
export {
  MasterElectionMetricsModule,
  type MasterElectionMetricsOptions,
} from './master-election-metrics.module.js';
export { registerMasterElectionMetrics } from './election-metrics.js';
