import type { SubscriptionExplanation, WorkerVerdict } from './contract/explanation.js';
import type { PlanInput } from './contract/plan-input.js';
import type { Plan } from './contract/plan-result.js';
import { runToEnd } from '../util/run-in-slices.js';
import { decide, decideSteps, type Decision } from './decide.js';
import type { WorkerSlot } from './load/worker-slot.js';
import { preference } from './placement/preference.js';
import { actionsOf } from './report/actions.js';
import { rejectionsOf } from './report/rejections.js';
import { scoreOf } from './report/score.js';
import { explainUnplaced } from './report/unplaced.js';
import type { Penalties } from './units/penalties.js';
import type { UnitEntry } from './units/unit-entry.js';

/** Derives the plan and the explanation of each subscription from one decision, because the decision is the expensive part. */
export class Outlook {
  private bySubscription: ReadonlyMap<string, UnitEntry> | undefined;

  /** Throws the same errors as `plan`. */
  constructor(
    private readonly input: PlanInput,
    private readonly decision = decide(input),
    readonly plan = runToEnd(planOf(input, decision)),
  ) {}

  /** The worker on which a subscription runs after the plan; null: on none, or it is not desired. */
  placeOf(subscriptionIdentifier: string): string | null {
    return this.entryOf(subscriptionIdentifier)?.slot?.url ?? null;
  }

  /** Null: the subscription is not desired. */
  explain(subscriptionIdentifier: string): SubscriptionExplanation | null {
    const { decision, input, plan } = this;
    const entry = this.entryOf(subscriptionIdentifier);
    if (entry === undefined) return null;
    const { unitId, subscriptions } = entry.unit;
    const { slots, penalties, unplaced } = decision;
    const [without] = unplaced.includes(entry) ? explainUnplaced([entry], slots, penalties) : [];
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

  private entryOf(subscriptionIdentifier: string): UnitEntry | undefined {
    this.bySubscription ??= bySubscription(this.decision.entries);
    return this.bySubscription.get(subscriptionIdentifier);
  }
}

/** {@link Outlook.plan}; yields where it may be interrupted. Throws the same errors as `plan`. */
export function* planSteps(input: PlanInput): Generator<void, Plan> {
  const decision = yield* decideSteps(input);
  yield;
  return yield* planOf(input, decision);
}

/** Builds the result of a decision; yields where it may be interrupted. */
export function* planOf(input: PlanInput, decision: Decision): Generator<void, Plan> {
  const { entries, slots, penalties, unplaced, choice } = decision;
  const actions = yield* actionsOf(entries, input.placements, input.moves ?? []);
  yield;
  return {
    actions,
    unplaced: explainUnplaced(unplaced, slots, penalties),
    scores: slots.map(scoreOf),
    ...choice.conclude(actions),
  };
}

function bySubscription(entries: readonly UnitEntry[]): Map<string, UnitEntry> {
  return new Map(entries.flatMap((entry) => entry.unit.subscriptions.map((id) => [id, entry] as const)));
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
