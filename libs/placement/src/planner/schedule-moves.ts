import { inChunks } from '../model/in-chunks.js';
import { sortInSteps } from '../model/sort-in-steps.js';
import { ROUNDING, type WorkerSlot } from './worker-slot.js';
import { isMoving, type UnitEntry } from './unit-entry.js';

type Slots = ReadonlyMap<string, WorkerSlot>;
type Usage = Map<WorkerSlot, number>;

/**
 * Marks the moves that may not begin yet, so that no worker exceeds its capacity while the plan is carried out: a moving
 * unit occupies both workers until it runs on the new one. If moves wait for each other in a cycle, the least important
 * unit stops first. Yields where it may be interrupted.
 */
export function* scheduleMoves(entries: readonly UnitEntry[], slots: Slots): Generator<void, void> {
  const used: Usage = new Map();
  for (const slot of slots.values()) used.set(slot, slot.allocated + slot.leaving);
  if ([...slots.values()].every(({ leaving }) => leaving === 0)) return;

  const starting: UnitEntry[] = [];
  const underWay: UnitEntry[] = [];
  yield* inChunks(entries, (entry) => {
    if (isMoving(entry)) underWay.push(entry);
    else if (entry.slot === null) vacate(entry, slots, used);
    else if (entry.slot.url !== entry.from) {
      starting.push(entry);
      add(used, entry.slot, -entry.cost);
    }
  });
  const queue = yield* sortInSteps(starting, (a, b) => b.priority - a.priority || a.index - b.index);

  for (;;) {
    const stuck = yield* carryOut(queue, underWay, slots, new Map(used));
    const broken = stuck.findLast((entry) => sourceOf(entry, slots) !== null);
    if (broken === undefined) return;
    vacate(broken, slots, used);
    broken.breaksFirst = true;
  }
}

/**
 * Simulates the plan: begins each move that has room, ends it, and repeats. Notes which moves wait; returns those that never begin.
 * Yields where it may be interrupted.
 */
function* carryOut(
  starting: readonly UnitEntry[],
  underWay: readonly UnitEntry[],
  slots: Slots,
  used: Usage,
): Generator<void, readonly UnitEntry[]> {
  let waiting: readonly UnitEntry[] = starting;
  for (let round = 0; waiting.length > 0; round++) {
    const begun: UnitEntry[] = round === 0 ? [...underWay] : [];
    const rest: UnitEntry[] = [];
    yield* inChunks(waiting, (entry) => {
      const slot = entry.slot!;
      const begins = used.get(slot)! + entry.cost <= slot.capacity + ROUNDING;
      if (begins) add(used, slot, entry.cost);
      if (round === 0) entry.waits = !begins;
      (begins ? begun : rest).push(entry);
    });
    if (begun.length === 0) break;
    yield* inChunks(begun, (entry) => vacate(entry, slots, used));
    waiting = rest;
  }
  return waiting;
}

/** The worker on which the unit keeps running until it runs elsewhere. */
function sourceOf(entry: UnitEntry, slots: Slots): WorkerSlot | null {
  const stops = entry.left === null ? !isMoving(entry) : entry.breaksFirst;
  const source = stops || entry.from === undefined ? undefined : slots.get(entry.from);
  return source === undefined || source.worker.state === 'Offline' ? null : source;
}

function vacate(entry: UnitEntry, slots: Slots, used: Usage): void {
  const source = sourceOf(entry, slots);
  if (source !== null) add(used, source, -entry.cost);
}

function add(used: Usage, slot: WorkerSlot, cost: number): void {
  used.set(slot, used.get(slot)! + cost);
}
