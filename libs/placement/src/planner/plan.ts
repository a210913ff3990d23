import { runToEnd } from '../model/in-chunks.js';
import { decideSteps, planOf } from './decision.js';
import { ExplainedPlan } from './explained-plan.js';
import type { Plan, PlanInput, PlanWithPlacements, SubscriptionExplanation } from './plan.types.js';
import { placementsOf } from './report.js';

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

/** {@link plan} without the placements; yields where it may be interrupted. Throws the same errors. */
export function* planSteps(input: PlanInput): Generator<void, Plan> {
  const decision = yield* decideSteps(input);
  yield;
  return yield* planOf(input, decision);
}
