import type { WorldOptions } from './delivery-world.js';
import type { Step } from './fault.js';

/** All that determines what happens in a world. */
export interface DeliverySchedule {
  readonly world: WorldOptions;
  /** Rates of the clocks of the processes that start with the world, and of those that start later, in turn. */
  readonly clocks: readonly number[];
  readonly steps: readonly Step[];
  /** No fault is among the steps: nothing may be handled twice. */
  readonly graceful: boolean;
}
