import type {
  PlanInput,
  PlanWithPlacements,
  SubscriptionExplanation,
  WorkerVerdict,
  Plan,
  PlanWorker,
} from './plan.types.js';
import { LargeMap } from '../steps/large-map.js';
import { runToEnd, inChunks } from '../steps/in-chunks.js';
import { placementsOf, actionsOf, rejectionsOf, scoreOf, explainUnplaced } from './report.js';
import { WorkerSlot } from './worker-slot.js';
import { preference } from './placement.js';
import { Penalties } from './penalties.js';
import { unitEntries, type UnitEntry } from './unit-entry.js';
import { InvalidInputError } from '../model/subscription-identifier.js';
import { moveByChoice, type Choice } from './move-by-choice.js';
import { scheduleMoves } from './schedule-moves.js';
import { placePending } from './place-pending.js';
import { settleResidents } from './settle.js';

/**
 * Decides which worker runs which unit. Pure and deterministic: no clock, no randomness, and the order of the input's
 * lists does not matter, so every process computes the same plan.
 *
 * Units stay where they are unless they cannot. A unit that has to move moves at once. With `rebalance`, drains proceed a
 * few units at a time, and an uneven load is balanced, but only beyond a threshold and within limits. No worker exceeds its
 * capacity while the actions are carried out in the stated order. After that the next plan has no actions, except for
 * moves that were `held`.
 *
 * Throws `InvalidInputError` when a unit id or a worker URL occurs twice, or a unit has two moves.
 */
export function plan(input: PlanInput): PlanWithPlacements {
  const decision = runToEnd(decideSteps(input));
  return {
    placements: placementsOf(input.units, decision.entries),
    ...runToEnd(planOf(input, decision)),
  };
}

/**
 * Explains the placement of a subscription: the score of each worker, the reasons against it, and what a plan made now
 * would do. Pure; takes the same input as {@link plan} and throws the same errors. Null: the subscription is not desired.
 */
export function explainSubscription(
  input: PlanInput,
  subscriptionIdentifier: string,
): SubscriptionExplanation | null {
  return runToEnd(ExplainedPlan.of(input)).explain(subscriptionIdentifier);
}

/** Derives the plan and the explanation of each subscription from one decision, because the decision is the expensive part. */
export class ExplainedPlan {
  private constructor(
    private readonly input: PlanInput,
    private readonly decision: Decision,
    readonly plan: Plan,
    private readonly bySubscription: ReadonlyMap<string, UnitEntry>,
  ) {}

  /** Yields where it may be interrupted. Throws the same errors as `plan`. */
  static *of(input: PlanInput): Generator<void, ExplainedPlan> {
    const decision = yield* decideSteps(input);
    yield;
    const plan = yield* planOf(input, decision);
    const bySubscription = new LargeMap<string, UnitEntry>();
    yield* inChunks(decision.entries, (entry) => {
      for (const id of entry.unit.subscriptions) bySubscription.set(id, entry);
    });
    return new ExplainedPlan(input, decision, plan, bySubscription);
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

/** {@link plan} without the placements; yields where it may be interrupted. Throws the same errors. */
export function* planSteps(input: PlanInput): Generator<void, Plan> {
  const decision = yield* decideSteps(input);
  yield;
  return yield* planOf(input, decision);
}

/** Builds the result of a decision; yields where it may be interrupted. */
function* planOf(input: PlanInput, decision: Decision): Generator<void, Plan> {
  const { entries, slots, penalties, unplaced, choice } = decision;
  const actions = yield* actionsOf(entries, input.placements, input.moves ?? []);
  yield;
  return {
    actions,
    unplaced: yield* explainUnplaced(unplaced, slots, penalties),
    scores: slots.map(scoreOf),
    ...(yield* choice.conclude(actions)),
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

/** Units and workers after a plan. */
interface Decision {
  readonly entries: readonly UnitEntry[];
  /** Sorted by URL. */
  readonly slots: readonly WorkerSlot[];
  readonly penalties: Penalties;
  readonly unplaced: readonly UnitEntry[];
  readonly choice: Choice;
}

/**
 * The steps of a plan: which units stay, which need another worker, which move to balance the load, and which have to wait.
 * Yields where it may be interrupted.
 */
function* decideSteps(input: PlanInput): Generator<void, Decision> {
  const { frozen = false, rebalance, moves = [] } = input;
  const penalties = yield* Penalties.of(input.penalties ?? []);
  const entries = yield* unitEntries(input.units, input.placements, moves);
  yield;
  const slots = yield* workerSlots(input.workers, entries);
  const byUrl = new Map(slots.map((slot) => [slot.url, slot]));

  const now = rebalance?.now ?? null;
  yield;
  const residents = yield* settleResidents(entries, { slots: byUrl, penalties, frozen, now });
  yield;
  const { unplaced, contended } = yield* placePending({ entries, slots, residents, penalties, frozen });
  yield;
  const choice = yield* moveByChoice({ entries, slots, contended, penalties, frozen, rebalance });
  yield;
  yield* scheduleMoves(entries, byUrl);
  return { entries, slots, penalties, unplaced, choice };
}

function* workerSlots(
  workers: readonly PlanWorker[],
  entries: readonly UnitEntry[],
): Generator<void, WorkerSlot[]> {
  const allocated = new Map<string, number>();
  yield* inChunks(entries, ({ from, cost }) => {
    if (from !== undefined) allocated.set(from, (allocated.get(from) ?? 0) + cost);
  });
  const slots: WorkerSlot[] = [];
  yield* inChunks(
    workers.toSorted((a, b) => (a.url < b.url ? -1 : 1)),
    (worker) => {
      if (slots.at(-1)?.url === worker.url)
        throw new InvalidInputError('workers', `${worker.url} occurs twice`);
      slots.push(new WorkerSlot(worker, allocated.get(worker.url) ?? 0));
    },
  );
  return slots;
}
