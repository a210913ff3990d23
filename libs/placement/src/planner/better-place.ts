import type { WorkerSlot } from './worker-slot.js';
import { rendezvousRank } from './rendezvous.js';
import type { Penalties } from './penalties.js';
import { rankOf } from './placement.js';
import type { UnitEntry } from './unit-entry.js';

/** The measure that a move makes more even. */
export type Measure = 'load' | 'allocation';

export interface Candidate {
  readonly entry: UnitEntry;
  readonly target: WorkerSlot;
  /** The greater of the two workers' values after the move. */
  readonly after: number;
}

export interface Search {
  /** Workers that may give units away, with their values. */
  readonly sources: ReadonlyMap<WorkerSlot, readonly UnitEntry[]>;
  readonly targets: readonly WorkerSlot[];
  readonly penalties: Penalties;
  readonly meanCost: number;
  readonly movable: (entry: UnitEntry) => boolean;
  readonly accepts: (target: WorkerSlot) => boolean;
}

/** The least gain of a move, in the unit of the measure; half of the rise by a unit of mean cost if that is less. */
const MIN_GAIN = 0.01;
/** Seconds without a stream that a move of a single-stream camera costs, and the time within which the gain must outweigh them. */
const BREAK_SECONDS = 5;
const PAYBACK_SECONDS = 300;

/** How many units of a worker are tried without a pause: each may look at all workers. */
const AT_ONCE = 32;

/**
 * Finds the best move for the fullest worker that can be relieved: the one that leaves the fuller of both workers least
 * full. Each such move lowers the greater of two loads, and the other does not rise above it. The loads, sorted from the
 * greatest, therefore fall in lexicographic order: a sequence of moves ends and never returns to its start. The same rule
 * applies to both measures; otherwise one could undo the moves of the other. Costs and benefits are weighed as by VMware DRS
 * (US patent 9,223,608). Null when no move helps. Yields where it may be interrupted.
 */
export function* betterPlace(search: Search, measure: Measure): Generator<void, Candidate | null> {
  const targets = search.targets.toSorted(
    (a, b) => valueOf(a, measure) - valueOf(b, measure) || a.hash - b.hash,
  );
  const sources = [...search.sources].sort(
    ([a], [b]) => valueOf(b, measure) - valueOf(a, measure) || a.hash - b.hash,
  );
  for (const [source, units] of sources) {
    const lowest = targets[0] === undefined ? Number.POSITIVE_INFINITY : valueOf(targets[0], measure);
    const gain = leastGain(source, measure, search.meanCost);
    if (valueOf(source, measure) - lowest < gain) return null;
    const candidate = yield* bestFrom(search, measure, source, units, targets, gain);
    if (candidate !== null) return candidate;
  }
  return null;
}

function* bestFrom(
  search: Search,
  measure: Measure,
  source: WorkerSlot,
  units: readonly UnitEntry[],
  targets: readonly WorkerSlot[],
  leastGain: number,
): Generator<void, Candidate | null> {
  const before = valueOf(source, measure);
  const known = new Set<string>();
  let best: Candidate | null = null;
  let tried = 0;
  for (const entry of units) {
    if (++tried % AT_ONCE === 0) yield;
    if (!search.movable(entry)) continue;
    const { unit, cost } = entry;
    // Equal units give equal results, so only the first is tried.
    const kind =
      search.penalties.any(unit.unitId) || unit.preferred !== undefined
        ? null
        : `${cost} ${entry.selectorId} ${entry.priority} ${unit.exclusive ?? false}`;
    if (kind !== null && known.has(kind)) continue;
    if (kind !== null) known.add(kind);
    const gain = unit.exclusive ? Math.max(leastGain, BREAK_SECONDS / PAYBACK_SECONDS) : leastGain;
    const most = Math.min(before - gain, best?.after ?? Number.POSITIVE_INFINITY);
    const candidate = bestTarget(search, measure, source, entry, targets, most);
    if (candidate !== null && (best === null || isBetter(candidate, best))) best = candidate;
  }
  return best;
}

/** The target that leaves the fuller of both workers with the least value, at most `most`. */
function bestTarget(
  { penalties, accepts }: Search,
  measure: Measure,
  source: WorkerSlot,
  entry: UnitEntry,
  targets: readonly WorkerSlot[],
  most: number,
): Candidate | null {
  const { unit, cost, hash } = entry;
  const left = valueAt(source, source.allocated - cost, measure);
  if (left > most) return null;
  let best: Candidate | null = null;
  for (const target of targets) {
    if (valueOf(target, measure) > (best?.after ?? most)) break;
    if (target === source || target.room < cost || !accepts(target)) continue;
    if (rankOf(unit, target) > rankOf(unit, source)) continue;
    if (!target.matches(unit.selector) || penalties.severity(unit.unitId, target.url) !== null) continue;
    if (loadAfter(target, source, cost) >= source.load.at(source.allocated)) continue;
    const after = Math.max(left, valueAt(target, target.allocated + cost, measure));
    if (after > (best?.after ?? most)) continue;
    if (
      best === null ||
      after < best.after ||
      rendezvousRank(hash, target.hash) > rendezvousRank(hash, best.target.hash)
    )
      best = { entry, target, after };
  }
  return best;
}

/** The target's load with the unit. An empty target does not show how a unit raises its load, so the rise at the source bounds it. */
function loadAfter(target: WorkerSlot, source: WorkerSlot, cost: number): number {
  const asAtSource = (source.load.slope * source.capacity) / target.capacity;
  return target.load.at(target.allocated) + Math.min(target.load.slope, asAtSource) * cost;
}

/** Among moves with equal gain, prefers that of the less important unit. */
function isBetter(a: Candidate, b: Candidate): boolean {
  return (a.after - b.after || a.entry.priority - b.entry.priority || a.entry.index - b.entry.index) < 0;
}

function leastGain(source: WorkerSlot, measure: Measure, meanCost: number): number {
  const slope = valueAt(source, 1, measure) - valueAt(source, 0, measure);
  return Math.min(MIN_GAIN, (slope * meanCost) / 2);
}

function valueOf(slot: WorkerSlot, measure: Measure): number {
  return valueAt(slot, slot.allocated, measure);
}

function valueAt(slot: WorkerSlot, allocated: number, measure: Measure): number {
  return measure === 'load' ? slot.load.at(allocated) : allocated / slot.capacity;
}
