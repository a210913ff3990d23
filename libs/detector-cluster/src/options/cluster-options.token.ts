/** Injection token of the resolved options. */
export const CLUSTER_OPTIONS = Symbol('DETECTOR_CLUSTER_OPTIONS');
