import type { PlanAction } from '../plan.types.js';
import type { UnitEntry } from './unit-entry.js';

/** The difference between where units run and where they should. */
export function actionsOf(
  entries: readonly UnitEntry[],
  placements: ReadonlyMap<string, string>,
): PlanAction[] {
  const evictions: PlanAction[] = [];
  const moves: PlanAction[] = [];
  const placed: PlanAction[] = [];
  let known = 0;
  for (const { unit, from, slot, left } of entries) {
    const { unitId } = unit;
    if (from !== undefined) known += 1;
    if (from === slot?.url) continue;
    if (slot === null) evictions.push({ type: 'evict', unitId, from: from!, reason: left! });
    else if (from === undefined) placed.push({ type: 'place', unitId, to: slot.url });
    else moves.push({ type: 'move', unitId, from, to: slot.url, reason: left! });
  }
  if (known < placements.size) {
    const wanted = new Set(entries.map(({ unit }) => unit.unitId));
    const stray = [...placements]
      .filter(([unitId]) => !wanted.has(unitId))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [unitId, from] of stray)
      evictions.push({ type: 'evict', unitId, from, reason: 'not-desired' });
  }
  return [...evictions, ...moves, ...placed];
}
