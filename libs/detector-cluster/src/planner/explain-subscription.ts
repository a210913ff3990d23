import type { SubscriptionExplanation, WorkerVerdict } from './contract/explanation.js';
import type { PlanInput } from './contract/plan-input.js';
import { decide } from './decide.js';
import type { WorkerSlot } from './load/worker-slot.js';
import { preference } from './placement/preference.js';
import { actionsOf } from './report/actions.js';
import { rejectionsOf } from './report/rejections.js';
import { explainUnplaced } from './report/unplaced.js';
import type { Penalties } from './units/penalties.js';
import type { UnitEntry } from './units/unit-entry.js';

/**
 * Why a subscription runs where it runs: what every worker would be worth to it and why it is not there, and what a plan
 * made now does with it. Pure, on the same input as {@link plan}; throws what that throws. Null: it is not desired.
 */
export function explainSubscription(
  input: PlanInput,
  subscriptionIdentifier: string,
): SubscriptionExplanation | null {
  const wanted = input.units.find(({ subscriptions }) => subscriptions.includes(subscriptionIdentifier));
  if (wanted === undefined) return null;
  const { unitId } = wanted;
  const { entries, slots, penalties, unplaced, choice } = decide(input);
  const entry = entries.find(({ unit }) => unit.unitId === unitId)!;
  const actions = actionsOf(entries, input.placements, input.moves ?? []);
  const [without] = explainUnplaced(
    unplaced.filter((other) => other === entry),
    slots,
    penalties,
  );
  return {
    subscriptionIdentifier,
    unitId,
    subscriptions: wanted.subscriptions,
    cost: entry.cost,
    priority: entry.priority,
    workerUrl: entry.from ?? null,
    plannedUrl: entry.slot?.url ?? null,
    moving: input.moves?.find((move) => move.unitId === unitId) ?? null,
    actions: actions.filter((action) => action.unitId === unitId),
    held: choice.conclude(actions).held.find((move) => move.unitId === unitId) ?? null,
    unplaced: without?.reasons ?? null,
    workers: slots
      .map((slot) => verdictOf(entry, slot, penalties))
      .sort(
        (a, b) => Math.min(a.rejections.length, 1) - Math.min(b.rejections.length, 1) || a.score - b.score,
      ),
  };
}

function verdictOf(entry: UnitEntry, slot: WorkerSlot, penalties: Penalties): WorkerVerdict {
  const allocated = slot.allocated + (entry.slot === slot ? 0 : entry.cost);
  const load = Math.max(0, slot.load.at(allocated));
  const worth = preference(entry.unit, slot, penalties);
  return {
    url: slot.url,
    score: load - worth,
    load,
    preference: worth,
    components: slot.load.components(allocated),
    rejections: rejectionsOf(entry, slot, penalties),
  };
}
