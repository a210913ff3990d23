import type { PlanMove } from '../contract/plan-input.js';
import type { PlanAction } from '../contract/plan-result.js';
import { inChunks } from '../../util/run-in-slices.js';
import type { UnitEntry } from '../units/unit-entry.js';

/** The difference between where units run and where they should. Yields where it may be interrupted. */
export function* actionsOf(
  entries: readonly UnitEntry[],
  placements: ReadonlyMap<string, string>,
  underWay: readonly PlanMove[],
): Generator<void, PlanAction[]> {
  const aborts: PlanAction[] = [];
  const evictions: PlanAction[] = [];
  const moves: PlanAction[] = [];
  const placed: PlanAction[] = [];
  let known = 0;
  yield* inChunks(entries, ({ unitId, from, to, slot, left, aborted, waits, breaksFirst }) => {
    if (to === undefined ? from !== undefined : placements.has(unitId)) known += 1;
    if (to !== undefined) {
      if (aborted === null) return;
      aborts.push({ type: 'abort', unitId, from: from!, to, reason: aborted });
    }
    if (from === slot?.url) return;
    if (slot === null) evictions.push({ type: 'evict', unitId, from: from!, reason: left! });
    else if (from === undefined) placed.push({ type: 'place', unitId, to: slot.url, waits });
    else moves.push({ type: 'move', unitId, from, to: slot.url, reason: left!, breaksFirst, waits });
  });
  if (known < placements.size || underWay.length > 0)
    addUnwanted(entries, placements, underWay, aborts, evictions);
  return aborts.concat(evictions, moves, placed);
}

/** Units that run, or are about to, although they are not desired. */
function addUnwanted(
  entries: readonly UnitEntry[],
  placements: ReadonlyMap<string, string>,
  underWay: readonly PlanMove[],
  aborts: PlanAction[],
  evictions: PlanAction[],
): void {
  const wanted = new Set(entries.map(({ unitId }) => unitId));
  const sources = new Map([...placements].filter(([unitId]) => !wanted.has(unitId)));
  const strayMoves = underWay.filter(({ unitId }) => !wanted.has(unitId)).sort(byUnitId);
  for (const { unitId, from, to } of strayMoves) {
    sources.set(unitId, from);
    aborts.push({ type: 'abort', unitId, from, to, reason: 'not-desired' });
  }
  const stray = [...sources].map(([unitId, from]) => ({ unitId, from })).sort(byUnitId);
  for (const { unitId, from } of stray)
    evictions.push({ type: 'evict', unitId, from, reason: 'not-desired' });
}

const byUnitId = (a: { unitId: string }, b: { unitId: string }): number =>
  a.unitId < b.unitId ? -1 : a.unitId > b.unitId ? 1 : 0;
