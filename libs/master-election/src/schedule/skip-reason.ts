/**
 * Why this process did not start a tick. `running`: a run of the job was in progress. `overtaken`: a later tick was due as well.
 * `repeated`: this tick or a later one had been started before, usually by another process. `lost`: the lease was lost.
 * `unrecorded`: the store did not answer before the next tick was due. `delayed`: the tick was later than `threshold`.
 */
export type SkipReason = 'running' | 'overtaken' | 'repeated' | 'lost' | 'unrecorded' | 'delayed';
