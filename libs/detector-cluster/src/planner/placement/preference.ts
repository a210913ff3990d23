import type { WorkerSlot } from '../load/worker-slot.js';
import type { PlanUnit } from '../contract/plan-input.js';
import type { Penalties } from '../units/penalties.js';

/** Bonus for loaded models, in load. */
const MODEL_BONUS = 0.05;
/** Malus of a worker that failed the unit some time ago, in load. */
const FAILURE_MALUS = 0.1;

/** The preference for a worker, in load: loaded models raise it, a past failure lowers it. */
export function preference(unit: PlanUnit, slot: WorkerSlot, penalties: Penalties): number {
  const failed = penalties.severity(unit.unitId, slot.url) !== null;
  return modelBonus(unit, slot) - (failed ? FAILURE_MALUS : 0);
}

/** In proportion to how many of the unit's models are loaded. */
function modelBonus({ models = [] }: PlanUnit, slot: WorkerSlot): number {
  if (models.length === 0 || slot.models.size === 0) return 0;
  let loaded = 0;
  for (const modelId of models) if (slot.models.has(modelId)) loaded += 1;
  return (MODEL_BONUS * loaded) / models.length;
}
