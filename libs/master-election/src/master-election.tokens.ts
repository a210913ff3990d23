/** Injection token of the options with all defaults, `ResolvedMasterElectionOptions`. */
export const RESOLVED_MASTER_ELECTION_OPTIONS = Symbol('RESOLVED_MASTER_ELECTION_OPTIONS');
