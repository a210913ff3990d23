import type { PlanUnit } from '../contract/plan-input.js';
import type { UnitEntry } from '../units/unit-entry.js';

/**
 * Unit id to worker URL, in the order of the units. The ids lie in memory in this order, and a map reads each several
 * times while it grows.
 */
export function placementsOf(
  units: readonly PlanUnit[],
  entries: readonly UnitEntry[],
): ReadonlyMap<string, string> {
  const urls = Array<string | undefined>(units.length);
  for (const { position, slot } of entries) urls[position] = slot?.url;
  const placements = new Map<string, string>();
  for (let i = 0; i < urls.length; i++) {
    const url = urls[i];
    if (url !== undefined) placements.set(units[i]!.unitId, url);
  }
  return placements;
}
