import { rendezvousRank } from '../load/rendezvous.js';
import { WorkerPool } from '../load/worker-pool.js';
import type { WorkerSlot } from '../load/worker-slot.js';
import type { PlanUnit } from '../plan.types.js';
import type { Penalties } from './penalties.js';
import type { UnitEntry } from './unit-entry.js';

/** What a model that is loaded already is worth, in load. */
const MODEL_BONUS = 0.05;

/**
 * Chooses a worker for one unit after the other, each on the load that the units before it will cause: least load first
 * (the longest-processing-time rule of Graham, 1969, when units come in order of cost), over all workers that pass the
 * filters.
 */
export class Placement {
  private readonly open: readonly WorkerSlot[];
  private readonly pools = new Map<number, WorkerPool>();

  /** `slots` in an order that does not depend on chance. */
  constructor(
    slots: readonly WorkerSlot[],
    private readonly penalties: Penalties,
  ) {
    this.open = slots.filter((slot) => slot.rejects === null);
  }

  /** Puts the unit on the best worker; false when none can take it. */
  place(entry: UnitEntry): boolean {
    const slot = this.choose(entry);
    if (slot === null) return false;
    this.put(entry, slot);
    return true;
  }

  put(entry: UnitEntry, slot: WorkerSlot): void {
    entry.slot = slot;
    slot.allocated += entry.cost;
  }

  /** To be called when a worker's load has fallen: the heaps rely on rising loads. */
  lowered(slot: WorkerSlot): void {
    for (const pool of this.pools.values()) pool.lowered(slot);
  }

  /** Workers that the unit's selector admits. */
  members(entry: UnitEntry): readonly WorkerSlot[] {
    return this.pool(entry).members;
  }

  private choose(entry: UnitEntry): WorkerSlot | null {
    const { unit, cost, hash } = entry;
    const pool = this.pool(entry);
    const base = pool.all.best(cost, hash);
    if (base === null) return null;
    const penalised = this.penalties.any(unit.unitId);
    if (unit.models === undefined && !penalised) return base;

    let slots = [base];
    // Whoever has a model loaded may beat the least loaded by the bonus, and nobody else can.
    for (const modelId of unit.models ?? []) {
      const slot = pool.withModel(modelId).best(cost, hash);
      if (slot !== null) slots.push(slot);
    }
    if (penalised && slots.some((slot) => this.penalties.has(unit.unitId, slot.url)))
      slots = pool.members.filter((slot) => slot.room >= cost && !this.penalties.has(unit.unitId, slot.url));
    return this.bestOf(entry, slots);
  }

  private bestOf({ unit, cost, hash }: UnitEntry, slots: readonly WorkerSlot[]): WorkerSlot | null {
    if (slots.length === 1) return slots[0]!;
    let best: WorkerSlot | null = null;
    let bestLoad = Number.POSITIVE_INFINITY;
    for (const slot of slots) {
      const load = slot.loadWith(cost) - modelBonus(unit, slot);
      if (load > bestLoad || slot === best) continue;
      if (
        load < bestLoad ||
        best === null ||
        rendezvousRank(hash, slot.hash) > rendezvousRank(hash, best.hash)
      )
        [best, bestLoad] = [slot, load];
    }
    return best;
  }

  private pool({ unit, selectorId }: UnitEntry): WorkerPool {
    let pool = this.pools.get(selectorId);
    if (pool === undefined) {
      pool = new WorkerPool(this.open.filter((slot) => slot.matches(unit.selector)));
      this.pools.set(selectorId, pool);
    }
    return pool;
  }
}

/** In proportion to how many of the unit's models are loaded. */
function modelBonus({ models = [] }: PlanUnit, slot: WorkerSlot): number {
  if (models.length === 0 || slot.models.size === 0) return 0;
  let loaded = 0;
  for (const modelId of models) if (slot.models.has(modelId)) loaded += 1;
  return (MODEL_BONUS * loaded) / models.length;
}
