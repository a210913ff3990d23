/** Injection token of the options as the application gave them to `forRoot`. */
export const MASTER_ELECTION_OPTIONS = Symbol('MASTER_ELECTION_OPTIONS');

/** Injection token of the options with all defaults, `ResolvedMasterElectionOptions`. */
export const RESOLVED_MASTER_ELECTION_OPTIONS = Symbol('RESOLVED_MASTER_ELECTION_OPTIONS');

/** Injection token of the options that other elections of the application inherit: those of `forRoot`, once checked. */
export const INHERITED_MASTER_ELECTION_OPTIONS = Symbol('INHERITED_MASTER_ELECTION_OPTIONS');
