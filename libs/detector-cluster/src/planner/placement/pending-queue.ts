import { inChunks } from '../../util/run-in-slices.js';
import { getOrInsertComputed } from '../../util/get-or-insert-computed.js';
import type { UnitEntry } from '../units/unit-entry.js';

/** Units of one priority by cost: sorting very many units at once would block the process. */
type PriorityClass = Map<number, UnitEntry[]>;

/**
 * Units without a worker, in the order of placement: by priority, then by descending cost, because costly units are hard to
 * place. While one is handled, units of lower priority may be added.
 */
export class PendingQueue {
  /** By descending priority. */
  private readonly priorities: readonly number[];

  /** Adds the units of the plan that have no worker. Yields where it may be interrupted. */
  static *of(entries: readonly UnitEntry[]): Generator<void, PendingQueue> {
    const classes = new Map<number, PriorityClass>();
    yield* inChunks(entries, (entry) => {
      const units = getOrInsertComputed(classes, entry.priority, newClass);
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
  getOrInsertComputed(units, entry.cost, () => [] as UnitEntry[]).push(entry);
}

/** The units of a plan are in order already. Only those that were added later may have to be sorted in. */
function inOrder(units: UnitEntry[]): UnitEntry[] {
  const isSorted = units.every((entry, i) => i === 0 || units[i - 1]!.index < entry.index);
  return isSorted ? units : units.sort((a, b) => a.index - b.index);
}
