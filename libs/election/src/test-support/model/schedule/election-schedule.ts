import type { CrashDetection } from '../../../backends/redis/redis-election-options.js';
import type { Step } from './fault.js';
import type { WorldOptions } from '../model-world.js';

/** All that determines what happens in a world. */
export interface ElectionSchedule {
  readonly world: WorldOptions;
  /** The candidates that start with the world, and those that start later, in turn. */
  readonly candidates: readonly { readonly crashDetection: CrashDetection; readonly rate: number }[];
  readonly steps: readonly Step[];
}
