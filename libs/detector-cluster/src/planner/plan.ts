import { InvalidInputError } from '../model/subscription-identifier.js';
import { WorkerSlot } from './load/worker-slot.js';
import type { Plan, PlanInput, PlanWorker, WorkerScore } from './plan.types.js';
import { actionsOf } from './steps/actions.js';
import { explainUnplaced } from './steps/explain.js';
import { settleResidents } from './steps/forced-moves.js';
import { Penalties } from './steps/penalties.js';
import { PendingQueue } from './steps/pending-queue.js';
import { Placement } from './steps/placement.js';
import { Preemption } from './steps/preemption.js';
import { type UnitEntry, unitEntries } from './steps/unit-entry.js';

/**
 * Decides which worker runs which unit. Pure and deterministic: no clock, no randomness, and the order of the input's
 * lists does not matter, so every process comes to the same plan. Units stay where they are unless they cannot; a plan
 * carried out is a fixpoint. Throws `InvalidInputError` when a unit id or a worker URL occurs twice.
 */
export function plan(input: PlanInput): Plan {
  const penalties = new Penalties(input.penalties ?? []);
  const entries = unitEntries(input.units, input.placements);
  const slots = workerSlots(input.workers, entries);
  const residents = settleResidents(entries, new Map(slots.map((slot) => [slot.url, slot])), penalties);

  const placement = new Placement(slots, penalties);
  const pending = new PendingQueue(entries);
  const preemption = new Preemption(placement, residents, penalties, pending.lowestPriority);
  for (const entry of pending)
    if (!placement.place(entry)) for (const victim of preemption.place(entry)) pending.add(victim);

  const placements = new Map<string, string>();
  for (const { unit, slot } of entries) if (slot !== null) placements.set(unit.unitId, slot.url);
  return {
    placements,
    actions: actionsOf(entries, input.placements),
    unplaced: explainUnplaced(
      entries.filter((entry) => entry.slot === null),
      slots,
      penalties,
    ),
    scores: slots.map(scoreOf),
  };
}

/** Sorted by URL. */
function workerSlots(workers: readonly PlanWorker[], entries: readonly UnitEntry[]): WorkerSlot[] {
  const allocated = new Map<string, number>();
  for (const { from, cost } of entries)
    if (from !== undefined) allocated.set(from, (allocated.get(from) ?? 0) + cost);
  const sorted = workers.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  return sorted.map((worker, i) => {
    if (sorted[i - 1]?.url === worker.url)
      throw new InvalidInputError('workers', `${worker.url} occurs twice`);
    return new WorkerSlot(worker, allocated.get(worker.url) ?? 0);
  });
}

function scoreOf(slot: WorkerSlot): WorkerScore {
  const { url, load, allocated, capacity, rejects } = slot;
  return {
    url,
    load: Math.max(0, load.at(allocated)),
    components: load.components(allocated),
    allocated,
    capacity,
    rejects,
  };
}
