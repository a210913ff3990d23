import type { WorkerSlot } from '../load/worker-slot.js';
import type { UnitEntry } from '../units/unit-entry.js';

/** Each attempt halves the range that contains the least sufficient limit. */
const TRIES = 10;
/** Bounds the work: beyond this many pairs of unit and worker, placement in order of cost is even enough. */
const MAX_PAIRS = 4_000;

/**
 * Searches for the least load limit below `most` under which all units fit, and returns the placement; null when there is
 * none. Each limit is tried by first fit in order of cost: the MULTIFIT algorithm of Coffman,
 * Garey and Johnson (SIAM Journal on Computing 7, 1978), with the small workers first for workers of different size
 * (Friesen and Langston, SIAM Journal on Computing 12, 1983). The units must be allocated nowhere.
 */
export function multifit(
  units: readonly UnitEntry[],
  targets: readonly WorkerSlot[],
  most: number,
): ReadonlyMap<UnitEntry, WorkerSlot> | null {
  if (units.length * targets.length > MAX_PAIRS) return null;
  const ordered = units.toSorted((a, b) => b.cost - a.cost || a.index - b.index);
  let low = Math.min(most, ...targets.map((slot) => slot.loadWith(0)));
  let high = most;
  let best: ReadonlyMap<UnitEntry, WorkerSlot> | null = null;
  for (let i = 0; i < TRIES; i++) {
    const limit = (low + high) / 2;
    const found = firstFit(ordered, targets, limit);
    if (found === null) low = limit;
    else [best, high] = [found, limit];
  }
  return best;
}

function firstFit(
  ordered: readonly UnitEntry[],
  targets: readonly WorkerSlot[],
  limit: number,
): Map<UnitEntry, WorkerSlot> | null {
  const bins = targets
    .map((slot) => ({ slot, room: Math.min(slot.room, costUntil(slot, limit)) }))
    .sort((a, b) => a.room - b.room);
  const found = new Map<UnitEntry, WorkerSlot>();
  for (const entry of ordered) {
    const bin = bins.find(({ slot, room }) => room >= entry.cost && slot.matches(entry.unit.selector));
    if (bin === undefined) return null;
    bin.room -= entry.cost;
    found.set(entry, bin.slot);
  }
  return found;
}

/** The cost that brings the worker up to the limit. */
function costUntil(slot: WorkerSlot, limit: number): number {
  return (limit - slot.loadWith(0)) / slot.load.slope;
}
