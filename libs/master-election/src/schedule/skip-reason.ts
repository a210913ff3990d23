/**
 * Why a tick was not started here: a run of the job was still going on; a later tick was due as well when this process
 * came to it; it, or a later one, had been started before, in another process as a rule; the lease was lost; the store
 * did not answer before the next tick was due; or it was later than `threshold`.
 */
export type SkipReason = 'running' | 'overtaken' | 'repeated' | 'lost' | 'unrecorded' | 'delayed';
