/** Injection token of `MasterElectionEventEmitterOptions`. */
export const MASTER_ELECTION_EVENT_EMITTER_OPTIONS = Symbol('MASTER_ELECTION_EVENT_EMITTER_OPTIONS');
