import type { CandidateKind } from './model-candidate.js';
import type { Step } from './fault.js';
import type { WorldOptions } from './model-world.js';

/** All that determines what happens in a world. */
export interface ElectionSchedule {
  readonly world: WorldOptions;
  /** The candidates that start with the world, and those that start later, in turn. */
  readonly candidates: readonly CandidateKind[];
  readonly steps: readonly Step[];
}
