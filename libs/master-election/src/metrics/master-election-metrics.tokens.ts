/** Injection token of `MasterElectionMetricsOptions`. */
export const MASTER_ELECTION_METRICS_OPTIONS = Symbol('MASTER_ELECTION_METRICS_OPTIONS');
