export type { DetectionTracer } from '../delivery/detection-tracer.js';
export {
  DetectorClusterTracingModule,
  type DetectorClusterTracingOptions,
} from './detector-cluster-tracing.module.js';
