import { withPauses } from '../../util/breather.js';
import type { UnitEntry } from '../units/unit-entry.js';

/**
 * Units without a worker, in the order of placement: by priority, then by descending cost, because costly units are hard to
 * place. While one is handled, units of lower priority may be added.
 */
export class PendingQueue {
  private readonly classes: { priority: number; units: UnitEntry[] }[];

  /** Adds the units of the plan that have no worker. Yields where it may be interrupted. */
  static *of(entries: readonly UnitEntry[]): Generator<void, PendingQueue> {
    const classOf = new Map<number, UnitEntry[]>();
    yield* withPauses(entries, (entry) => {
      let units = classOf.get(entry.priority);
      if (units === undefined) classOf.set(entry.priority, (units = []));
      if (entry.slot === null) units.push(entry);
    });
    return new PendingQueue(classOf);
  }

  private constructor(private readonly classOf: ReadonlyMap<number, UnitEntry[]>) {
    this.classes = [...classOf]
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
