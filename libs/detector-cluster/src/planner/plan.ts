import type { PlanInput, PlanWorker } from './contract/plan-input.js';
import type { Plan } from './contract/plan-result.js';
import { InvalidInputError } from '../model/subscription-identifier.js';
import { WorkerSlot } from './load/worker-slot.js';
import { settleResidents } from './placement/settle.js';
import { placePending } from './placement/place-pending.js';
import { moveByChoice } from './moves/move-by-choice.js';
import { schedule } from './moves/schedule.js';
import { actionsOf } from './report/actions.js';
import { scoreOf } from './report/score.js';
import { explainUnplaced } from './report/unplaced.js';
import { Penalties } from './units/penalties.js';
import { type UnitEntry, unitEntries } from './units/unit-entry.js';

/**
 * Decides which worker runs which unit. Pure and deterministic: no clock, no randomness, and the order of the input's
 * lists does not matter, so every process comes to the same plan.
 *
 * Units stay where they are unless they cannot. What has to move moves at once; with `rebalance`, drains proceed a few units
 * at a time, and an uneven load is levelled, but only beyond a threshold and within limits. No worker is over its capacity
 * at any time while the actions are carried out as they say. A plan carried out is a fixpoint, but for what is `held`.
 *
 * Throws `InvalidInputError` when a unit id or a worker URL occurs twice, or a unit has two moves.
 */
export function plan(input: PlanInput): Plan {
  const { frozen = false, rebalance, moves = [] } = input;
  const penalties = new Penalties(input.penalties ?? []);
  const entries = unitEntries(input.units, input.placements, moves);
  const slots = workerSlots(input.workers, entries);
  const byUrl = new Map(slots.map((slot) => [slot.url, slot]));

  const residents = settleResidents(entries, {
    slots: byUrl,
    penalties,
    frozen,
    now: rebalance?.now ?? null,
  });
  const { unplaced, contended } = placePending({ entries, slots, residents, penalties, frozen });
  const choice = moveByChoice({ entries, slots, contended, penalties, frozen, rebalance });
  schedule(entries, byUrl);

  const placements = new Map<string, string>();
  for (const { unit, slot } of entries) if (slot !== null) placements.set(unit.unitId, slot.url);
  const actions = actionsOf(entries, input.placements, moves);
  return {
    placements,
    actions,
    unplaced: explainUnplaced(unplaced, slots, penalties),
    scores: slots.map(scoreOf),
    ...choice.conclude(actions),
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
