import type { UnitEntry } from '../units/unit-entry.js';

/** Units that leave first come first: by ascending priority, then by size, so that the first sufficient unit is the smallest. */
export function releaseOrder(a: UnitEntry, b: UnitEntry): number {
  return a.priority - b.priority || a.cost - b.cost || a.index - b.index;
}

/**
 * Selects which of `units`, given in {@link releaseOrder}, leave so that at least `excess` is freed: the lowest priorities
 * first, and within one priority few units with little excess cost. Null when all of them are not enough.
 */
export function unitsToRelease(units: readonly UnitEntry[], excess: number): UnitEntry[] | null {
  if (excess <= 0) return [];
  if (units.reduce((sum, unit) => sum + unit.cost, 0) < excess) return null;

  const chosen: UnitEntry[] = [];
  let left = excess;
  const rest = [...units];
  while (left > 0 && rest.length > 0) {
    const { priority } = rest[0]!;
    const end = rest.findIndex((unit) => unit.priority !== priority);
    const last = (end === -1 ? rest.length : end) - 1;
    const sufficient = rest.findIndex((unit, i) => i <= last && unit.cost >= left);
    const [unit] = rest.splice(sufficient === -1 ? last : sufficient, 1);
    chosen.push(unit!);
    left -= unit!.cost;
  }

  // A later, larger unit may have made an earlier one unnecessary.
  let spare = -left;
  const needless = new Set<UnitEntry>();
  for (const unit of chosen.toSorted(releaseOrder).toReversed())
    if (unit.cost <= spare) {
      needless.add(unit);
      spare -= unit.cost;
    }
  return chosen.filter((unit) => !needless.has(unit));
}
