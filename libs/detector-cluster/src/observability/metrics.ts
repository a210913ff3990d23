export {
  DetectorClusterMetricsModule,
  type DetectorClusterMetricsOptions,
  registerDetectorClusterMetrics,
} from './detector-cluster-metrics.module.js';
