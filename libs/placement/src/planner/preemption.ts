import { rendezvousRank } from './rendezvous.js';
import type { WorkerSlot } from './worker-slot.js';
import type { Penalties } from './penalties.js';
import type { UnitEntry } from './unit-entry.js';
import type { Placement } from './placement.js';
import { unitsToRelease, release } from './settle.js';

interface Choice {
  readonly slot: WorkerSlot;
  readonly victims: readonly UnitEntry[];
  readonly cost: number;
  readonly rank: number;
}

/** Of the workers where the same priority has to leave, only this many are compared. */
const MAX_COMPARED = 8;

/** Makes room for units that fit nowhere by taking others of lower (never equal) priority from a worker. */
export class Preemption {
  /**
   * Kinds of units for which no room could be made. The result stays valid: the free room of a worker plus the room of lower
   * priorities only shrinks while units come in order of priority.
   */
  private readonly hopeless = new Set<string>();

  /** `residents`: the units that each worker had before the plan and keeps, in {@link releaseOrder}. */
  constructor(
    private readonly placement: Placement,
    private readonly residents: Map<WorkerSlot, UnitEntry[]>,
    private readonly penalties: Penalties,
    private readonly lowestPriority: number,
  ) {}

  /** Places the unit on the worker where it displaces the least important units; returns these, or none if nothing helps. */
  place(entry: UnitEntry): readonly UnitEntry[] {
    if (entry.priority <= this.lowestPriority) return [];
    const kind = this.penalties.any(entry.unit.unitId)
      ? null
      : `${entry.priority} ${entry.cost} ${entry.selectorId}`;
    if (kind !== null && this.hopeless.has(kind)) return [];
    const choice = this.choose(entry);
    if (choice === null) {
      if (kind !== null) this.hopeless.add(kind);
      return [];
    }
    const { slot, victims } = choice;
    for (const victim of victims) release(victim, 'preempted');
    const units = this.residents.get(slot) ?? [];
    this.residents.set(
      slot,
      units.filter((other) => !victims.includes(other)),
    );
    this.placement.put(entry, slot);
    this.placement.lowered(slot);
    return victims;
  }

  private choose(entry: UnitEntry): Choice | null {
    let best: Choice | null = null;
    let lowest = entry.priority;
    let compared = 0;
    const members = this.placement.members(entry);
    for (let i = 0; i < members.length; i++) {
      // Each unit begins its search at another worker, so that not all search the same workers first.
      const slot = members[(entry.hash + i) % members.length]!;
      if (!slot.couldHold(entry.cost) || this.penalties.has(entry.unit.unitId, slot.url)) continue;
      const units = this.residents.get(slot) ?? [];
      const excess = entry.cost - slot.finalRoom;
      const highest = highestToGo(units, excess);
      if (highest > lowest || highest === entry.priority) continue;
      if (highest < lowest) [lowest, best, compared] = [highest, null, 0];
      if (compared === MAX_COMPARED) continue;
      const choice = choiceOf(entry, slot, units, excess);
      if (best === null || isBetter(choice, best)) best = choice;
      compared += 1;
      if (compared === MAX_COMPARED && lowest <= this.lowestPriority) break;
    }
    return best;
  }
}

function choiceOf(
  entry: UnitEntry,
  slot: WorkerSlot,
  residents: readonly UnitEntry[],
  excess: number,
): Choice {
  const lower = residents.filter((other) => other.priority < entry.priority);
  const victims = unitsToRelease(lower, excess)!;
  const cost = victims.reduce((sum, victim) => sum + victim.cost, 0);
  return { slot, victims, cost, rank: rendezvousRank(entry.hash, slot.hash) };
}

/** The highest priority that is displaced when units leave in order of priority until `excess` is free; Infinity if all are not enough. */
function highestToGo(residents: readonly UnitEntry[], excess: number): number {
  let freed = 0;
  for (const { cost, priority } of residents) if ((freed += cost) >= excess) return priority;
  return Number.POSITIVE_INFINITY;
}

function isBetter(a: Choice, b: Choice): boolean {
  return (a.cost - b.cost || a.victims.length - b.victims.length || b.rank - a.rank) < 0;
}
