export { DetectorClusterMetricsModule } from './detector-cluster-metrics.module.js';
export type { DetectorClusterMetricsOptions } from './detector-cluster-metrics-options.js';
export { registerDetectorClusterMetrics } from './register-detector-cluster-metrics.js';
