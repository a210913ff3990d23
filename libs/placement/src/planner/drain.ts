import { filterInChunks } from '../model/in-chunks.js';
import { sortInSteps } from '../model/sort-in-steps.js';
import type { HeldMove, HoldReason } from './plan.types.js';
import { leastLoaded } from './placement.js';
import { release } from './settle.js';
import type { WorkerSlot } from './worker-slot.js';
import type { Draft } from './draft.js';
import { isMoving, type UnitEntry } from './unit-entry.js';
import type { MoveLimits } from './move-limits.js';

export interface DrainInput extends Draft {
  readonly limits: MoveLimits;
}

/**
 * Moves units from workers that are being drained, as many as may be under way. Returns what is held. Yields where it may be
 * interrupted.
 */
export function* drain(input: DrainInput): Generator<void, HeldMove[]> {
  const draining = new Set(
    input.slots.filter((slot) => slot.draining && slot.worker.state === 'Ready' && slot.allocated > 0),
  );
  if (draining.size === 0) return [];
  const movable = yield* filterInChunks(
    input.entries,
    (entry) => entry.slot !== null && draining.has(entry.slot) && !isMoving(entry),
  );
  const leaving = yield* sortInSteps(
    movable,
    (a, b) => b.priority - a.priority || b.cost - a.cost || a.index - b.index,
  );
  const open = input.slots.filter((slot) => slot.rejects === null);
  const hopeless = new Set<string>();
  const heldMoves: HeldMove[] = [];
  for (const entry of leaving) {
    const held = moveAway(entry, open, hopeless, input);
    if (held !== null) heldMoves.push(held);
    yield;
  }
  return heldMoves;
}

/** Null: the move begins. */
function moveAway(
  entry: UnitEntry,
  open: readonly WorkerSlot[],
  hopeless: Set<string>,
  { penalties, limits, frozen }: DrainInput,
): HeldMove | null {
  const { unit, cost } = entry;
  const source = entry.slot!;
  const held = (heldBy: HoldReason, to: WorkerSlot | null = null): HeldMove => ({
    unitId: unit.unitId,
    from: source.url,
    to: to?.url ?? null,
    reason: 'drain',
    heldBy,
  });
  const heldBy = frozen ? 'frozen' : limits.holdsAll(false);
  if (heldBy !== null) return held(heldBy);
  // Room only shrinks during a pass: when one unit found none, similar units will not either.
  const kind = `${cost} ${entry.selectorId}`;
  if (hopeless.has(kind)) return held('no-room');
  const able = open.filter((slot) => slot.room >= cost && slot.matches(unit.selector));
  const free = leastLoaded(
    entry,
    able.filter((slot) => limits.accepts(slot)),
    penalties,
  );
  if (free === null) {
    if (able.length === 0) hopeless.add(kind);
    const busy = leastLoaded(entry, able, penalties);
    return busy === null ? held('no-room') : held('in-flight', busy);
  }
  release(entry, 'drain');
  entry.slot = free;
  free.allocated += cost;
  limits.begin(free, false);
  return null;
}
