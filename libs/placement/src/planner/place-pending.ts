import type { WorkerSlot } from './worker-slot.js';
import type { Draft } from './draft.js';
import type { UnitEntry } from './unit-entry.js';
import { Placement } from './placement.js';
import { Preemption } from './preemption.js';
import { refine } from './refine.js';
import { filterInChunks, inChunks } from '../model/in-chunks.js';

export interface PendingInput extends Draft {
  /** The units that each worker had before the plan and keeps. */
  readonly residents: Map<WorkerSlot, UnitEntry[]>;
}

export interface PendingResult {
  /** Units that no worker can take. */
  readonly unplaced: readonly UnitEntry[];
  /** Workers that could take one of them if they had room. */
  readonly contended: ReadonlySet<WorkerSlot>;
}

/** How many units are placed without a pause: placing one may mean to look at all workers. */
const AT_ONCE = 32;

/** Finds workers for the units that have none. Yields where it may be interrupted. */
export function* placePending({
  entries,
  slots,
  residents,
  penalties,
  frozen,
}: PendingInput): Generator<void, PendingResult> {
  const placement = new Placement(slots, penalties);
  const pending = yield* PendingQueue.of(entries);
  const preemption = frozen ? null : new Preemption(placement, residents, penalties, pending.lowestPriority);
  let displaced = false;
  const placed: UnitEntry[] = [];
  let handled = 0;
  for (const entry of pending) {
    if (++handled % AT_ONCE === 0) yield;
    if (placement.place(entry)) {
      if (entry.slot!.url !== entry.from) placed.push(entry);
      continue;
    }
    const victims = preemption?.place(entry) ?? [];
    displaced ||= victims.length > 0;
    for (const victim of victims) pending.add(victim);
  }

  yield;
  const unplaced = yield* filterInChunks(entries, (entry) => entry.slot === null);
  // Refining could free room for a unit that was left without a worker, so it runs only when every unit is placed.
  if (unplaced.length === 0 && !displaced) {
    const isFree = ({ unit, unitId }: UnitEntry) => unit.preferred === undefined && !penalties.any(unitId);
    const free = yield* filterInChunks(placed, isFree);
    const targets = slots.filter((slot) => slot.rejects === null);
    refine(free, targets, penalties);
  }
  return { unplaced, contended: yield* contendedFor(unplaced, placement) };
}

function* contendedFor(
  unplaced: readonly UnitEntry[],
  placement: Placement,
): Generator<void, Set<WorkerSlot>> {
  const contended = new Set<WorkerSlot>();
  const known = new Set<string>();
  yield* inChunks(unplaced, (entry) => {
    const kind = `${entry.cost} ${entry.selectorId}`;
    if (known.has(kind)) return;
    known.add(kind);
    for (const slot of placement.members(entry)) if (slot.couldHold(entry.cost)) contended.add(slot);
  });
  return contended;
}

/** Units of one priority by cost: sorting very many units at once would block the process. */
type PriorityClass = Map<number, UnitEntry[]>;

/**
 * Units without a worker, in the order of placement: by priority, then by descending cost, because costly units are hard to
 * place. While one is handled, units of lower priority may be added.
 */
class PendingQueue {
  /** By descending priority. */
  private readonly priorities: readonly number[];

  /** Adds the units of the plan that have no worker. Yields where it may be interrupted. */
  static *of(entries: readonly UnitEntry[]): Generator<void, PendingQueue> {
    const classes = new Map<number, PriorityClass>();
    yield* inChunks(entries, (entry) => {
      const units = classes.get(entry.priority) ?? newClass();
      classes.set(entry.priority, units);
      if (entry.slot === null) addTo(units, entry);
    });
    return new PendingQueue(classes);
  }

  private constructor(private readonly classes: ReadonlyMap<number, PriorityClass>) {
    this.priorities = [...classes.keys()].sort(descending);
  }

  get lowestPriority(): number {
    return this.priorities.at(-1) ?? 0;
  }

  add(entry: UnitEntry): void {
    addTo(this.classes.get(entry.priority)!, entry);
  }

  *[Symbol.iterator](): Generator<UnitEntry, void> {
    for (const priority of this.priorities) {
      const units = this.classes.get(priority)!;
      for (const cost of [...units.keys()].sort(descending)) yield* inOrder(units.get(cost)!);
    }
  }
}

const newClass = (): PriorityClass => new Map();

const descending = (a: number, b: number): number => b - a;

function addTo(units: PriorityClass, entry: UnitEntry): void {
  const sameCost = units.get(entry.cost);
  if (sameCost === undefined) units.set(entry.cost, [entry]);
  else sameCost.push(entry);
}

/** The units of a plan are in order already. Only those that were added later may have to be sorted in. */
function inOrder(units: UnitEntry[]): UnitEntry[] {
  const isSorted = units.every((entry, i) => i === 0 || units[i - 1]!.index < entry.index);
  return isSorted ? units : units.sort((a, b) => a.index - b.index);
}
