export {
  MasterElectionMetricsModule,
  type MasterElectionMetricsOptions,
} from './master-election-metrics.module.js';
export { registerMasterElectionMetrics } from './election-metrics.js';
