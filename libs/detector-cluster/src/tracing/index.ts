export { DetectorClusterTracingModule } from './detector-cluster-tracing.module.js';
export type { DetectorClusterTracingOptions } from './detector-cluster-tracing-options.js';
