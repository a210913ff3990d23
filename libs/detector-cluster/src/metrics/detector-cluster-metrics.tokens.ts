/** Injection token of `DetectorClusterMetricsOptions`. */
export const DETECTOR_CLUSTER_METRICS_OPTIONS = Symbol('DETECTOR_CLUSTER_METRICS_OPTIONS');
