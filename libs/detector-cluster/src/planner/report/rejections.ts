import type { RejectionReason } from '../contract/plan-result.js';
import type { WorkerSlot } from '../load/worker-slot.js';
import type { Penalties } from '../units/penalties.js';
import type { UnitEntry } from '../units/unit-entry.js';

/** All reasons why a worker does not take a unit, in the state after the plan; empty if it does or would. */
export function rejectionsOf(entry: UnitEntry, slot: WorkerSlot, penalties: Penalties): RejectionReason[] {
  const { unit, cost } = entry;
  const room = slot.finalRoom + (entry.slot === slot ? cost : 0);
  const reasons = [...slot.rejections];
  if (!slot.couldHold(cost)) reasons.push('too-large');
  if (!slot.matches(unit.selector)) reasons.push('selector');
  if (penalties.has(unit.unitId, slot.url)) reasons.push('penalty');
  if (slot.couldHold(cost) && room < cost) reasons.push('capacity');
  return reasons;
}
