import type {
  PlanMove,
  PlanAction,
  PlanUnit,
  WorkerScore,
  RejectionReason,
  UnplacedUnit,
} from './plan.types.js';
import { inChunks } from '../model/in-chunks.js';
import { byText } from '../model/sort-in-steps.js';
import type { UnitEntry } from './unit-entry.js';
import type { WorkerSlot } from './worker-slot.js';
import type { Penalties } from './penalties.js';

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

const byUnitId = byText<{ readonly unitId: string }>(({ unitId }) => unitId);

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

/** Each worker's load after the plan. A worker without room for even the smallest unit is full. Yields where it may be interrupted. */
export function* scoresOf(
  slots: readonly WorkerSlot[],
  entries: readonly UnitEntry[],
): Generator<void, WorkerScore[]> {
  let least = 1;
  yield* inChunks(entries, ({ cost }) => (least = Math.min(least, cost)));
  return slots.map(({ url, load, allocated, capacity, finalRoom, rejects }) => ({
    url,
    load: Math.max(0, load.at(allocated)),
    components: load.components(allocated),
    allocated,
    capacity,
    rejects: rejects ?? (finalRoom < least ? 'capacity' : null),
  }));
}

/** Why each of the units has no worker, in the state after the plan. Yields where it may be interrupted. */
export function* explainUnplaced(
  entries: readonly UnitEntry[],
  slots: readonly WorkerSlot[],
  penalties: Penalties,
): Generator<void, UnplacedUnit[]> {
  const known = new Map<string, UnplacedUnit['reasons']>();
  const explained: UnplacedUnit[] = [];
  yield* inChunks(entries, (entry) => {
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
    explained.push({ unitId: unit.unitId, reasons });
  });
  return explained;
}

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
