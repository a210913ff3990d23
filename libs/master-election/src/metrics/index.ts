export {
  MasterElectionMetricsModule,
  type MasterElectionMetricsOptions,
} from './master-election-metrics.module.js';
export { registerMasterElectionMetrics } from './register-master-election-metrics.js';
