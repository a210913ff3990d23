import type { WorkerSlot } from './worker-slot.js';
import type { Penalties } from './penalties.js';
import type { UnitEntry } from './unit-entry.js';
import { preference } from './placement.js';

/**
 * With this many units per worker, placement in order of cost leaves the fullest worker at most about 1/32 above the optimum
 * (Coffman and Sethi, "A generalized bound on LPT sequencing", 1976).
 */
const MAX_REFINED_UNITS = 32;
/** Bounds the work: the number of exchanges that are examined. */
const MAX_LOOKS = 40_000;
/** A change must lower the greater load by more than a rounding error. */
const MIN_GAIN = 1e-9;

/** Units of one worker that move together. */
interface Group {
  readonly units: readonly UnitEntry[];
  readonly cost: number;
}

interface Exchange {
  readonly given: Group;
  readonly target: WorkerSlot;
  readonly taken: Group;
  /** The greater of both loads after the exchange, plus the preference that the units lose. */
  readonly after: number;
}

const NOTHING: Group = { units: [], cost: 0 };

/**
 * Improves the placement of newly placed units. While it lowers the load of the fullest worker that has any of them, one or
 * two of its units move to another worker, in exchange for up to two others. Finn and Horowitz describe such a search after
 * the longest-processing-time rule ("A linear time approximation algorithm for multiprocessor scheduling", BIT 19, 1979),
 * França et al. with exchanges (Computers & Operations Research 21, 1994), and Frangioni, Necciari and Scutellà with several
 * jobs at once (Journal of Combinatorial Optimization 8, 2004). If the search gets stuck, {@link multifit} may give a better
 * start. Running units are not touched.
 */
export function refine(
  placed: readonly UnitEntry[],
  targets: readonly WorkerSlot[],
  penalties: Penalties,
): void {
  if (placed.length > MAX_REFINED_UNITS * targets.length) return;
  const refinement = new Refinement(placed, targets, penalties);
  refinement.exchange();
  if (refinement.repack()) refinement.exchange();
}

class Refinement {
  private readonly unitsOn = new Map<WorkerSlot, UnitEntry[]>();
  private looks = 0;

  constructor(
    private readonly placed: readonly UnitEntry[],
    private readonly targets: readonly WorkerSlot[],
    private readonly penalties: Penalties,
  ) {
    for (const entry of placed) this.listOf(entry.slot!).push(entry);
  }

  exchange(): void {
    while (this.step());
  }

  /** Places all units again if that lowers the load of the fullest worker; false otherwise. */
  repack(): boolean {
    const source = this.fullest();
    if (source === null) return false;
    const before = loadOf(source);
    const slots = this.placed.map(({ slot }) => slot!);
    for (const { slot, cost } of this.placed) slot!.allocated -= cost;
    const packed = multifit(this.placed, this.targets, before - MIN_GAIN);
    for (const [i, { cost }] of this.placed.entries()) slots[i]!.allocated += cost;
    if (packed === null) return false;
    for (const [entry, slot] of packed) this.put(entry, slot);
    const after = loadOf(this.fullest()!);
    if (after + this.lostSince(slots) < before - MIN_GAIN) return true;
    for (const [i, entry] of this.placed.entries()) this.put(entry, slots[i]!);
    return false;
  }

  /** False when nothing helps. */
  private step(): boolean {
    const source = this.fullest();
    if (source === null) return false;
    const exchange = this.bestExchange(source, 1) ?? this.bestExchange(source, 2);
    if (exchange === null) return false;
    for (const entry of exchange.given.units) this.put(entry, exchange.target);
    for (const entry of exchange.taken.units) this.put(entry, source);
    return true;
  }

  private fullest(): WorkerSlot | null {
    let fullest: WorkerSlot | null = null;
    for (const [slot, units] of this.unitsOn)
      if (units.length > 0 && (fullest === null || loadOf(slot) > loadOf(fullest))) fullest = slot;
    return fullest;
  }

  /** The best exchange of groups of at most `size`. */
  private bestExchange(source: WorkerSlot, size: 1 | 2): Exchange | null {
    const before = loadOf(source);
    const givenGroups = groupsOf(this.listOf(source), size);
    let best: Exchange | null = null;
    for (const target of this.targets) {
      if (target === source || loadOf(target) >= before - MIN_GAIN) continue;
      const takenGroups = [NOTHING, ...groupsOf(this.unitsOn.get(target) ?? [], size)];
      for (const given of givenGroups)
        for (const taken of takenGroups) {
          this.looks += 1;
          if (this.looks > MAX_LOOKS) return best;
          const after = this.after(source, given, target, taken);
          if (after < (best?.after ?? before - MIN_GAIN)) best = { given, target, taken, after };
        }
    }
    return best;
  }

  private after(source: WorkerSlot, given: Group, target: WorkerSlot, taken: Group): number {
    const cost = given.cost - taken.cost;
    if (cost <= 0 || target.room < cost) return Number.POSITIVE_INFINITY;
    if (!admits(target, given) || !admits(source, taken)) return Number.POSITIVE_INFINITY;
    const lost = this.lost(given, target) + this.lost(taken, source);
    return Math.max(source.loadWith(-cost), target.loadWith(cost)) + Math.max(0, lost);
  }

  /** The preference that the units lose on that worker compared with their own. */
  private lost({ units }: Group, other: WorkerSlot): number {
    let lost = 0;
    for (const { unit, slot } of units)
      lost += preference(unit, slot!, this.penalties) - preference(unit, other, this.penalties);
    return lost;
  }

  private lostSince(slots: readonly WorkerSlot[]): number {
    const lost = this.placed.reduce((sum, { unit, slot }, i) => {
      return sum + preference(unit, slots[i]!, this.penalties) - preference(unit, slot!, this.penalties);
    }, 0);
    return Math.max(0, lost);
  }

  private put(entry: UnitEntry, slot: WorkerSlot): void {
    const units = this.listOf(entry.slot!);
    units.splice(units.indexOf(entry), 1);
    entry.slot!.allocated -= entry.cost;
    entry.slot = slot;
    slot.allocated += entry.cost;
    this.listOf(slot).push(entry);
  }

  private listOf(slot: WorkerSlot): UnitEntry[] {
    let units = this.unitsOn.get(slot);
    if (units === undefined) this.unitsOn.set(slot, (units = []));
    return units;
  }
}

/** Groups of one unit, or of two, but no more than can be examined. Of consecutive equal units only the first is tried. */
function groupsOf(units: readonly UnitEntry[], size: 1 | 2): Group[] {
  const groups: Group[] = units
    .filter((entry, i) => i === 0 || !alike(entry, units[i - 1]!))
    .map((entry) => ({ units: [entry], cost: entry.cost }));
  if (size === 1) return groups;
  for (const [i, a] of units.entries())
    for (let j = i + 1; j < units.length && groups.length < MAX_LOOKS; j++)
      groups.push({ units: [a, units[j]!], cost: a.cost + units[j]!.cost });
  return groups;
}

function alike(a: UnitEntry, b: UnitEntry): boolean {
  return a.cost === b.cost && a.selectorId === b.selectorId && a.unit.models === b.unit.models;
}

function admits(slot: WorkerSlot, { units }: Group): boolean {
  return units.every(({ unit }) => slot.matches(unit.selector));
}

const loadOf = (slot: WorkerSlot): number => slot.loadWith(0);

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
function multifit(
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
