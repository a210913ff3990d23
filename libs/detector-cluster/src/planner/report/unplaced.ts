import type { RejectionReason, UnplacedUnit } from '../contract/plan-result.js';
import type { WorkerSlot } from '../load/worker-slot.js';
import type { Penalties } from '../units/penalties.js';
import type { UnitEntry } from '../units/unit-entry.js';
import { rejectionsOf } from './rejections.js';

/** Why each of the units has no worker, in the state after the plan. */
export function explainUnplaced(
  entries: readonly UnitEntry[],
  slots: readonly WorkerSlot[],
  penalties: Penalties,
): UnplacedUnit[] {
  const known = new Map<string, UnplacedUnit['reasons']>();
  return entries.map((entry) => {
    const { unit, cost, selectorId } = entry;
    const key = penalties.any(unit.unitId) ? `! ${unit.unitId}` : `${cost} ${selectorId}`;
    let reasons = known.get(key);
    if (reasons === undefined) {
      const counts: Partial<Record<RejectionReason, number>> = {};
      for (const slot of slots) {
        // A worker with room that did not get the unit is full until its leaving units have stopped.
        const reason = rejectionsOf(entry, slot, penalties)[0] ?? 'capacity';
        counts[reason] = (counts[reason] ?? 0) + 1;
      }
      known.set(key, (reasons = counts));
    }
    return { unitId: unit.unitId, reasons };
  });
}
