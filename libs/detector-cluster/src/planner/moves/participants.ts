import type { WorkerSlot } from '../load/worker-slot.js';
import type { UnitEntry } from '../units/unit-entry.js';

/** The workers among which the load is levelled. */
export function participants(slots: readonly WorkerSlot[]): WorkerSlot[] {
  return slots.filter(
    ({ worker, draining, capacity }) =>
      worker.state === 'Ready' && !worker.cordoned && !draining && capacity > 0,
  );
}

/** The units that ran on each of the workers before this plan. */
export function residentsOf(
  entries: readonly UnitEntry[],
  slots: readonly WorkerSlot[],
): Map<WorkerSlot, UnitEntry[]> {
  const residents = new Map<WorkerSlot, UnitEntry[]>(slots.map((slot) => [slot, []]));
  for (const entry of entries)
    if (entry.slot !== null && entry.from === entry.slot.url && entry.left === null)
      residents.get(entry.slot)?.push(entry);
  return residents;
}
