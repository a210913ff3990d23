import type { UnitEntry } from '../units/unit-entry.js';

/**
 * Units without a worker, in the order in which they choose: by priority, then the costly, which are hard to place. While
 * one is handled, units of lower priority may be added.
 */
export class PendingQueue {
  private readonly classes: { priority: number; units: UnitEntry[] }[];
  private readonly classOf: Map<number, UnitEntry[]>;

  /** All units of the plan; those without a worker are pending. */
  constructor(entries: readonly UnitEntry[]) {
    this.classOf = new Map();
    for (const entry of entries) {
      let units = this.classOf.get(entry.priority);
      if (units === undefined) this.classOf.set(entry.priority, (units = []));
      if (entry.slot === null) units.push(entry);
    }
    this.classes = [...this.classOf]
      .map(([priority, units]) => ({ priority, units }))
      .sort((a, b) => b.priority - a.priority);
  }

  get lowestPriority(): number {
    return this.classes.at(-1)?.priority ?? 0;
  }

  add(entry: UnitEntry): void {
    this.classOf.get(entry.priority)!.push(entry);
  }

  *[Symbol.iterator](): Generator<UnitEntry, void> {
    for (const { units } of this.classes) yield* units.sort((a, b) => b.cost - a.cost || a.index - b.index);
  }
}
