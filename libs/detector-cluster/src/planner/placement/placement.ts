import { WorkerPool } from '../load/worker-pool.js';
import type { WorkerSlot } from '../load/worker-slot.js';
import type { Penalties } from '../units/penalties.js';
import type { UnitEntry } from '../units/unit-entry.js';
import { leastLoaded } from './least-loaded.js';

/**
 * Chooses a worker for one unit after the other, taking into account the load that the previous units will cause: least
 * load first (the longest-processing-time rule of Graham, 1969, when units come in order of cost), over all workers that
 * pass the filters.
 */
export class Placement {
  private readonly open: readonly WorkerSlot[];
  private readonly pools = new Map<number, WorkerPool>();
  private readonly someLeave: boolean;

  /** `slots` in an order that does not depend on chance. */
  constructor(
    slots: readonly WorkerSlot[],
    private readonly penalties: Penalties,
  ) {
    this.open = slots.filter((slot) => slot.rejects === null);
    this.someLeave = this.open.some((slot) => slot.leaving > 0);
  }

  /**
   * Puts the unit on the best worker with room now, or else on the best one that will have room when others have left.
   * False when no worker can take it.
   */
  place(entry: UnitEntry): boolean {
    let slot = this.choose(entry);
    if (slot === null && this.someLeave)
      slot = leastLoaded(
        entry,
        this.members(entry).filter((member) => member.leaving > 0 && member.finalRoom >= entry.cost),
        this.penalties,
      );
    if (slot === null) return false;
    this.put(entry, slot);
    return true;
  }

  put(entry: UnitEntry, slot: WorkerSlot): void {
    entry.slot = slot;
    slot.allocated += entry.cost;
  }

  /** The caller must call this when a worker's load has fallen, because the heaps rely on rising loads. */
  lowered(slot: WorkerSlot): void {
    for (const pool of this.pools.values()) pool.lowered(slot);
  }

  /** Workers that the unit's selector admits. */
  members(entry: UnitEntry): readonly WorkerSlot[] {
    return this.pool(entry).members;
  }

  private choose(entry: UnitEntry): WorkerSlot | null {
    const { unitId, cost, hash } = entry;
    const pool = this.pool(entry);
    const base = pool.all.best(cost, hash);
    if (base === null) return null;
    if (this.penalties.any(unitId))
      return leastLoaded(
        entry,
        pool.members.filter((slot) => slot.room >= cost),
        this.penalties,
      );
    if (!pool.hasModels) return base;

    // Only a worker that has a model loaded may beat the least loaded one, by the bonus.
    let slots: WorkerSlot[] | null = null;
    for (const modelId of entry.unit.models ?? []) {
      const slot = pool.withModel(modelId)?.best(cost, hash);
      if (slot) (slots ??= [base]).push(slot);
    }
    return slots === null ? base : leastLoaded(entry, slots, this.penalties);
  }

  private pool(entry: UnitEntry): WorkerPool {
    let pool = this.pools.get(entry.selectorId);
    if (pool === undefined) {
      pool = new WorkerPool(this.open.filter((slot) => slot.matches(entry.unit.selector)));
      this.pools.set(entry.selectorId, pool);
    }
    return pool;
  }
}
