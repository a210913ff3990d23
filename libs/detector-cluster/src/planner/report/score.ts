import type { WorkerScore } from '../contract/plan-result.js';
import type { WorkerSlot } from '../load/worker-slot.js';

/** A worker's load after the plan. */
export function scoreOf({ url, load, allocated, capacity, rejects }: WorkerSlot): WorkerScore {
  return {
    url,
    load: Math.max(0, load.at(allocated)),
    components: load.components(allocated),
    allocated,
    capacity,
    rejects,
  };
}
