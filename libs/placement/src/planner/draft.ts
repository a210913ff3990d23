import type { Penalties } from './penalties.js';
import type { UnitEntry } from './unit-entry.js';
import type { WorkerSlot } from './worker-slot.js';

/** A plan while it is made. */
export interface Draft {
  readonly entries: readonly UnitEntry[];
  /** Sorted by URL. */
  readonly slots: readonly WorkerSlot[];
  readonly penalties: Penalties;
  /** No running unit may move. */
  readonly frozen: boolean;
}
