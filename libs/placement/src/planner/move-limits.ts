import { inChunks } from '../model/in-chunks.js';
import type { PlannerState, HoldReason } from './plan.types.js';
import type { WorkerSlot } from './worker-slot.js';
import type { UnitEntry } from './unit-entry.js';

/** Moves that may be under way at once while their units still run elsewhere: each loads a model and opens a stream. */
const MAX_UNDER_WAY = 4;
const MAX_ARRIVALS = 2;

/** Moves by choice in one round: at most this share of the units, and never more than this many. */
const ROUND_SHARE = 0.05;
const ROUND_MOST = 10;

/** The limits of moves that are not urgent. All times in milliseconds. */
export class MoveLimits {
  private underWay: number;
  private budget: number;
  private readonly cooling = new Set<string>();
  /** Units that each worker received during the last cooldown period. */
  private readonly recent = new Map<WorkerSlot, number>();

  private constructor(
    state: PlannerState,
    units: number,
    slots: readonly WorkerSlot[],
    private readonly fairShare: number,
  ) {
    this.underWay = slots.reduce((sum, slot) => sum + slot.arrivals, 0);
    this.budget = roundBudget(units) - state.round.moves;
  }

  /**
   * Yields where it may be interrupted.
   * @param fairShare units per worker if all workers had equally many
   */
  static *of(
    state: PlannerState,
    entries: readonly UnitEntry[],
    slots: readonly WorkerSlot[],
    fairShare: number,
  ): Generator<void, MoveLimits> {
    const limits = new MoveLimits(state, entries.length, slots, fairShare);
    yield* inChunks(state.cooldowns, ([unitId]) => limits.cooling.add(unitId));
    if (limits.cooling.size === 0) return limits;
    yield* inChunks(entries, (entry) => {
      if (entry.slot !== null && limits.isCooling(entry)) limits.count(entry.slot);
    });
    return limits;
  }

  /** Why no move of this kind may begin now, or null. */
  holdsAll(byChoice: boolean): HoldReason | null {
    if (byChoice && this.budget <= 0) return 'budget';
    return this.underWay >= MAX_UNDER_WAY ? 'in-flight' : null;
  }

  isCooling({ unit }: UnitEntry): boolean {
    return this.cooling.size > 0 && this.cooling.has(unit.unitId);
  }

  accepts(target: WorkerSlot): boolean {
    return target.arrivals < MAX_ARRIVALS;
  }

  /** Whether a worker received so many units that it must report their load before it gets more, even if it claims to be idle. */
  hasShare(target: WorkerSlot): boolean {
    return (this.recent.get(target) ?? 0) >= this.fairShare;
  }

  begin(target: WorkerSlot, byChoice: boolean): void {
    target.arrivals += 1;
    this.underWay += 1;
    if (byChoice) this.budget -= 1;
    this.count(target);
  }

  private count(slot: WorkerSlot): void {
    this.recent.set(slot, (this.recent.get(slot) ?? 0) + 1);
  }
}

/** How many moves by choice may begin in one round. */
export function roundBudget(units: number): number {
  return Math.min(ROUND_MOST, Math.ceil(units * ROUND_SHARE));
}
