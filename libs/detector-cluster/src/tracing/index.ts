export {
  DetectorClusterTracingModule,
  type DetectorClusterTracingOptions,
} from './detector-cluster-tracing.module.js';
