/** Injection token of `DetectorClusterTracingOptions`. */
export const DETECTOR_CLUSTER_TRACING_OPTIONS = Symbol('DETECTOR_CLUSTER_TRACING_OPTIONS');
