import type { WorkerSlot } from '../load/worker-slot.js';
import type { LeaveReason } from '../plan.types.js';
import type { Penalties } from './penalties.js';
import { releaseOrder, unitsToRelease } from './release.js';
import type { UnitEntry } from './unit-entry.js';

/**
 * Leaves every unit where it runs unless it cannot stay, and returns which units each worker keeps, in the
 * order in which they would have to go. Nothing but these
 * reasons moves a unit: a plan on a world without them changes nothing.
 */
export function settleResidents(
  entries: readonly UnitEntry[],
  slots: ReadonlyMap<string, WorkerSlot>,
  penalties: Penalties,
): Map<WorkerSlot, UnitEntry[]> {
  const residents = new Map<WorkerSlot, UnitEntry[]>();
  for (const entry of entries) {
    if (entry.from === undefined) continue;
    const slot = slots.get(entry.from);
    entry.left = leaveReason(entry, slot, penalties);
    if (entry.left !== null || slot === undefined) continue;
    entry.slot = slot;
    slot.allocated += entry.cost;
    const others = residents.get(slot);
    if (others) others.push(entry);
    else residents.set(slot, [entry]);
  }
  for (const [slot, units] of residents) {
    units.sort(releaseOrder);
    if (slot.worker.state === 'Ready') shed(slot, units, residents);
  }
  return residents;
}

function leaveReason(
  { unit, from }: UnitEntry,
  slot: WorkerSlot | undefined,
  penalties: Penalties,
): LeaveReason | null {
  if (slot === undefined) return 'worker-removed';
  if (slot.worker.state === 'Offline') return 'worker-offline';
  // A worker that is not there at the moment cannot be told to stop either; it may be back in a second.
  if (slot.worker.state !== 'Ready') return null;
  if (!slot.matches(unit.selector)) return 'selector';
  if (penalties.has(unit.unitId, from!)) return 'penalty';
  return null;
}

function shed(slot: WorkerSlot, units: UnitEntry[], residents: Map<WorkerSlot, UnitEntry[]>): void {
  if (slot.excess <= 0) return;
  const leaving = new Set(unitsToRelease(units, slot.excess) ?? units);
  for (const entry of leaving) release(entry, 'over-capacity');
  residents.set(
    slot,
    units.filter((entry) => !leaving.has(entry)),
  );
}

/** Takes a unit from its worker. */
export function release(entry: UnitEntry, reason: LeaveReason): void {
  if (entry.slot) entry.slot.allocated -= entry.cost;
  entry.slot = null;
  entry.left = reason;
}
