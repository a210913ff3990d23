import type { Decision } from './decision.js';
import { filterInChunks, inChunks } from '../model/in-chunks.js';
import type { UnitEntry } from './unit-entry.js';
import { DEFAULT_CAPACITY, ROUNDING, type WorkerSlot } from './worker-slot.js';

/** Whether the workers are enough, after the plan. Loads are sums of costs. */
export interface Capacity {
  /**
   * How many workers hold all units: as many of the mean capacity as a packing needs, and more than there are while a unit has no
   * worker only because the workers are full.
   */
  readonly wantedWorkers: number;
  /** Workers that take units: ready, neither cordoned nor drained, with free memory. */
  readonly openWorkers: number;
  /** Units without a worker, and their load. */
  readonly unplacedUnits: number;
  readonly unplacedLoad: number;
  /** What the open workers have room for. */
  readonly headroom: number;
  /** For each model, by id: at least so many more units like its largest ones find a worker at once. */
  readonly models: readonly { readonly modelId: number; readonly headroom: number }[];
  /** The open worker with the least load, which may be removed: the others have room for its units. Null: they have not. */
  readonly emptiestWorker: string | null;
}

/** A packing distinguishes at most this many costs; beyond, it takes each for a little more. */
const MAX_COSTS = 1_000;

/** Yields where it may be interrupted. */
export function* capacityOf({
  entries,
  slots,
  unplaced,
}: Pick<Decision, 'entries' | 'slots' | 'unplaced'>): Generator<void, Capacity> {
  const open = slots.filter(({ rejects }) => rejects === null);
  const capacities = slots.map(({ capacity }) => capacity).filter((capacity) => capacity > 0);
  const mean =
    capacities.length === 0 ? DEFAULT_CAPACITY : sum(capacities, (capacity) => capacity) / capacities.length;
  const needed = yield* packed(entries, mean);
  const lacking = Math.ceil((yield* crowdedOut(unplaced, open)) / mean - ROUNDING);
  return {
    wantedWorkers: Math.max(needed, lacking > 0 ? open.length + lacking : 0),
    openWorkers: open.length,
    unplacedUnits: unplaced.length,
    unplacedLoad: sum(unplaced, ({ cost }) => cost),
    headroom: sum(open, roomOf),
    models: yield* headroomByModel(entries, open),
    emptiestWorker: yield* emptiest(entries, open),
  };
}

/** Load of the units that have no worker only because those that may take them are full. */
function* crowdedOut(unplaced: readonly UnitEntry[], open: readonly WorkerSlot[]): Generator<void, number> {
  const known = new Map<string, boolean>();
  let load = 0;
  yield* inChunks(unplaced, ({ cost, selectorId, unit }) => {
    const key = `${cost} ${selectorId}`;
    const fits = known.get(key) ?? open.some((slot) => slot.couldHold(cost) && slot.matches(unit.selector));
    known.set(key, fits);
    if (fits) load += cost;
  });
  return load;
}

/** How many workers of a capacity hold the units that fit into one: the largest first, each into the first that has room. */
function* packed(entries: readonly UnitEntry[], capacity: number): Generator<void, number> {
  const counts = new Map<number, number>();
  yield* inChunks(entries, ({ cost }) => {
    if (cost <= capacity + ROUNDING) counts.set(cost, (counts.get(cost) ?? 0) + 1);
  });
  const costs = counts.size <= MAX_COSTS ? counts : roundedUp(counts, capacity / MAX_COSTS);
  const rooms: number[] = [];
  for (const [cost, count] of Array.from(costs).sort(([a], [b]) => b - a)) {
    yield;
    let left = count;
    for (let i = 0; left > 0; i++) {
      rooms[i] ??= capacity + ROUNDING;
      const taken = Math.min(left, Math.floor(rooms[i]! / cost));
      rooms[i]! -= taken * cost;
      left -= taken;
    }
  }
  return rooms.length;
}

function roundedUp(counts: ReadonlyMap<number, number>, step: number): ReadonlyMap<number, number> {
  const rounded = new Map<number, number>();
  for (const [cost, count] of counts) {
    const up = Math.ceil(cost / step - ROUNDING) * step;
    rounded.set(up, (rounded.get(up) ?? 0) + count);
  }
  return rounded;
}

function* headroomByModel(
  entries: readonly UnitEntry[],
  open: readonly WorkerSlot[],
): Generator<void, Capacity['models']> {
  /** Model → selector → the largest of its units. */
  const largest = new Map<number, Map<number, UnitEntry>>();
  yield* inChunks(entries, (entry) => {
    for (const modelId of entry.unit.models ?? []) {
      const bySelector = largest.get(modelId) ?? new Map<number, UnitEntry>();
      largest.set(modelId, bySelector);
      if ((bySelector.get(entry.selectorId)?.cost ?? 0) < entry.cost) bySelector.set(entry.selectorId, entry);
    }
  });
  const models: { modelId: number; headroom: number }[] = [];
  for (const [modelId, bySelector] of Array.from(largest).sort(([a], [b]) => a - b)) {
    let headroom = Number.POSITIVE_INFINITY;
    for (const { cost, unit } of bySelector.values()) {
      yield;
      const room = sum(open, (slot) => (slot.matches(unit.selector) ? Math.floor(roomOf(slot) / cost) : 0));
      headroom = Math.min(headroom, room);
    }
    models.push({ modelId, headroom });
  }
  return models;
}

function* emptiest(
  entries: readonly UnitEntry[],
  open: readonly WorkerSlot[],
): Generator<void, string | null> {
  const [least, ...others] = open.toSorted((a, b) => a.allocated - b.allocated);
  if (least === undefined || others.length === 0) return null;
  const rooms = new Map(others.map((slot) => [slot, roomOf(slot)]));
  const leaving = yield* filterInChunks(entries, ({ slot }) => slot === least);
  for (const { cost, unit } of leaving.toSorted((a, b) => b.cost - a.cost)) {
    yield;
    let best: WorkerSlot | null = null;
    for (const [slot, room] of rooms)
      if (room >= cost && (best === null || room > rooms.get(best)!) && slot.matches(unit.selector))
        best = slot;
    if (best === null) return null;
    rooms.set(best, rooms.get(best)! - cost);
  }
  return least.url;
}

function roomOf(slot: WorkerSlot): number {
  return Math.max(0, slot.room);
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
