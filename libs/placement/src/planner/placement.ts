import { AdmittedWorkers } from './admitted-workers.js';
import type { WorkerSlot } from './worker-slot.js';
import type { Penalties } from './penalties.js';
import type { UnitEntry } from './unit-entry.js';
import { rendezvousRank } from './rendezvous.js';
import type { PlanUnit } from './plan.types.js';

/**
 * Chooses a worker for one unit after the other, taking into account the load that the previous units will cause: least
 * load first (the longest-processing-time rule of Graham, 1969, when units come in order of cost), over all workers that
 * pass the filters.
 */
export class Placement {
  private readonly open: readonly WorkerSlot[];
  private readonly pools = new Map<number | string, AdmittedWorkers>();
  private readonly byUrl: ReadonlyMap<string, WorkerSlot>;
  private readonly someLeave: boolean;

  /** `slots` in an order that does not depend on chance. */
  constructor(
    slots: readonly WorkerSlot[],
    private readonly penalties: Penalties,
  ) {
    this.open = slots.filter((slot) => slot.rejects === null);
    this.byUrl = new Map(this.open.map((slot) => [slot.url, slot]));
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

  /** Of the first preferred kind that has room, or else of all that the selector admits. */
  private choose(entry: UnitEntry): WorkerSlot | null {
    for (const kind of entry.unit.preferred ?? []) {
      const slot = this.chooseFrom(this.pool(entry, kind), entry);
      if (slot !== null) return slot;
    }
    return this.chooseFrom(this.pool(entry), entry);
  }

  private chooseFrom(pool: AdmittedWorkers, entry: UnitEntry): WorkerSlot | null {
    if (this.penalties.any(entry.unitId)) return this.chooseAfterFailures(pool, entry);
    const { cost, hash } = entry;
    const base = pool.all.best(cost, hash);
    if (base === null || !pool.hasModels) return base;

    // Only a worker that has a model loaded may beat the least loaded one, by the bonus.
    let slots: WorkerSlot[] | null = null;
    for (const modelId of entry.unit.models ?? []) {
      const slot = pool.withModel(modelId)?.best(cost, hash);
      if (slot) (slots ??= [base]).push(slot);
    }
    return slots === null ? base : leastLoaded(entry, slots, this.penalties);
  }

  /** The best of the workers that failed the unit, which are few, and of the best others. */
  private chooseAfterFailures(pool: AdmittedWorkers, entry: UnitEntry): WorkerSlot | null {
    const { unit, cost, hash } = entry;
    const failed = new Set<WorkerSlot>();
    for (const url of this.penalties.workersThatFailed(unit.unitId)) {
      const slot = this.byUrl.get(url);
      if (slot !== undefined && slot.room >= cost && pool.members.includes(slot)) failed.add(slot);
    }
    const heaps = [pool.all, ...(unit.models ?? []).map((modelId) => pool.withModel(modelId))];
    const others = heaps.map((heap) => heap?.best(cost, hash, failed) ?? null);
    return leastLoaded(entry, [...others.filter((slot) => slot !== null), ...failed], this.penalties);
  }

  /** @param kind labels that the workers must have besides */
  private pool({ selectorId, unit }: UnitEntry, kind?: Readonly<Record<string, string>>): AdmittedWorkers {
    const key = kind === undefined ? selectorId : `${selectorId} ${JSON.stringify(kind)}`;
    let pool = this.pools.get(key);
    if (pool === undefined) {
      pool = new AdmittedWorkers(
        this.open.filter((slot) => slot.matches(unit.selector) && slot.matches(kind)),
      );
      this.pools.set(key, pool);
    }
    return pool;
  }
}

/** The best worker for the unit among those that have room and match the selector; null when it must not go to any. */
export function leastLoaded(
  { unit, cost, hash }: UnitEntry,
  slots: readonly WorkerSlot[],
  penalties: Penalties,
): WorkerSlot | null {
  let best: WorkerSlot | null = null;
  let bestLoad = Number.POSITIVE_INFINITY;
  for (const slot of slots) {
    if (slot === best || penalties.has(unit.unitId, slot.url)) continue;
    const load: number = slot.loadWith(cost) - preference(unit, slot, penalties);
    if (load > bestLoad) continue;
    if (load < bestLoad || best === null || rendezvousRank(hash, slot.hash) > rendezvousRank(hash, best.hash))
      [best, bestLoad] = [slot, load];
  }
  return best;
}

/** Bonus for loaded models, in load. */
const MODEL_BONUS = 0.05;
/** Malus of a worker that failed the unit some time ago, in load. */
const FAILURE_MALUS = 0.1;

/** Malus for each preferred kind that comes before that of the worker, in load: more than any difference of two loads. */
const RANK_MALUS = 10;

/** The preference for a worker, in load: loaded models raise it, a past failure and better kinds lower it. */
export function preference(unit: PlanUnit, slot: WorkerSlot, penalties: Penalties): number {
  const failed = penalties.severity(unit.unitId, slot.url) !== null;
  return modelBonus(unit, slot) - (failed ? FAILURE_MALUS : 0) - RANK_MALUS * rankOf(unit, slot);
}

/** How many kinds the unit prefers to the worker. */
export function rankOf({ preferred }: PlanUnit, slot: WorkerSlot): number {
  if (preferred === undefined) return 0;
  const rank = preferred.findIndex((kind) => slot.matches(kind));
  return rank === -1 ? preferred.length : rank;
}

/** In proportion to how many of the unit's models are loaded. */
function modelBonus({ models = [] }: PlanUnit, slot: WorkerSlot): number {
  if (models.length === 0 || slot.models.size === 0) return 0;
  let loaded = 0;
  for (const modelId of models) if (slot.models.has(modelId)) loaded += 1;
  return (MODEL_BONUS * loaded) / models.length;
}
