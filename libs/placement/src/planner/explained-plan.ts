import { inChunks, runToEnd } from '../model/in-chunks.js';
import { type Capacity, capacityOf } from './capacity.js';
import { type Decision, decideSteps, planOf } from './decision.js';
import type { Penalties } from './penalties.js';
import type { Plan, PlanInput, SubscriptionExplanation, WorkerVerdict } from './plan.types.js';
import { preference } from './placement.js';
import { explainUnplaced, rejectionsOf } from './report.js';
import type { UnitEntry } from './unit-entry.js';
import type { WorkerSlot } from './worker-slot.js';

/** Derives the plan and the explanation of each subscription from one decision, because the decision is the expensive part. */
export class ExplainedPlan {
  private constructor(
    private readonly input: PlanInput,
    private readonly decision: Decision,
    readonly plan: Plan,
    readonly capacity: Capacity,
    private readonly bySubscription: ReadonlyMap<string, UnitEntry>,
  ) {}

  /** Yields where it may be interrupted. Throws the same errors as `plan`. */
  static *of(input: PlanInput): Generator<void, ExplainedPlan> {
    const decision = yield* decideSteps(input);
    yield;
    const plan = yield* planOf(input, decision);
    const capacity = yield* capacityOf(decision);
    const bySubscription = new Map<string, UnitEntry>();
    yield* inChunks(decision.entries, (entry) => {
      for (const id of entry.unit.subscriptions) bySubscription.set(id, entry);
    });
    return new ExplainedPlan(input, decision, plan, capacity, bySubscription);
  }

  /** The worker on which a subscription runs after the plan; null: on none, or it is not desired. */
  placeOf(subscriptionIdentifier: string): string | null {
    return this.bySubscription.get(subscriptionIdentifier)?.slot?.url ?? null;
  }

  /** Null: the subscription is not desired. */
  explain(subscriptionIdentifier: string): SubscriptionExplanation | null {
    const { decision, input, plan } = this;
    const entry = this.bySubscription.get(subscriptionIdentifier);
    if (entry === undefined) return null;
    const { unitId, subscriptions } = entry.unit;
    const { slots, penalties, unplaced } = decision;
    const [without] = unplaced.includes(entry) ? runToEnd(explainUnplaced([entry], slots, penalties)) : [];
    return {
      subscriptionIdentifier,
      unitId,
      subscriptions,
      cost: entry.cost,
      priority: entry.priority,
      workerUrl: entry.from ?? null,
      plannedUrl: entry.slot?.url ?? null,
      moving: input.moves?.find((move) => move.unitId === unitId) ?? null,
      actions: plan.actions.filter((action) => action.unitId === unitId),
      held: plan.held.find((move) => move.unitId === unitId) ?? null,
      unplaced: without?.reasons ?? null,
      workers: slots
        .map((slot) => verdictOf(entry, slot, penalties))
        .sort(
          (a, b) => Math.min(a.rejections.length, 1) - Math.min(b.rejections.length, 1) || a.score - b.score,
        ),
    };
  }
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
