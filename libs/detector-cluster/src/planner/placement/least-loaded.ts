import { rendezvousRank } from '../load/rendezvous.js';
import type { WorkerSlot } from '../load/worker-slot.js';
import type { Penalties } from '../units/penalties.js';
import type { UnitEntry } from '../units/unit-entry.js';
import { preference } from './preference.js';

/** The best worker for the unit among those that have room and match the selector; null when it must not go to any. */
export function leastLoaded(
  { unit, cost, hash }: UnitEntry,
  slots: readonly WorkerSlot[],
  penalties: Penalties,
): WorkerSlot | null {
  let best: WorkerSlot | null = null;
  let bestLoad = Number.POSITIVE_INFINITY;
  for (const slot of slots) {
    if (slot === best || penalties.has(unit.unitId, slot.url)) continue;
    const load: number = slot.loadWith(cost) - preference(unit, slot, penalties);
    if (load > bestLoad) continue;
    if (load < bestLoad || best === null || rendezvousRank(hash, slot.hash) > rendezvousRank(hash, best.hash))
      [best, bestLoad] = [slot, load];
  }
  return best;
}
