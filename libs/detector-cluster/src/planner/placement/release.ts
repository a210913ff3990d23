import type { UnitEntry } from '../units/unit-entry.js';

/** Who has to go first: the least important; of these the small, so that the first that suffices is the least. */
export function releaseOrder(a: UnitEntry, b: UnitEntry): number {
  return a.priority - b.priority || a.cost - b.cost || a.index - b.index;
}

/**
 * Which of `units`, given in {@link releaseOrder}, have to go so that at least `excess` is freed: the lowest priorities
 * first, and of one priority few units with little cost to spare. Null when all of them would not do.
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

  // A later, larger one may have made an earlier one needless.
  let spare = -left;
  const needless = new Set<UnitEntry>();
  for (const unit of chosen.toSorted(releaseOrder).toReversed())
    if (unit.cost <= spare) {
      needless.add(unit);
      spare -= unit.cost;
    }
  return chosen.filter((unit) => !needless.has(unit));
}
