export { MasterElectionMetricsModule } from './master-election-metrics.module.js';
export type { MasterElectionMetricsOptions } from './master-election-metrics-options.js';
export { registerMasterElectionMetrics } from './register-master-election-metrics.js';
