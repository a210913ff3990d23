import type { PlanInput } from './contract/plan-input.js';
import type { PlanWithPlacements } from './contract/plan-result.js';
import { runToEnd } from '../util/run-in-slices.js';
import { decide } from './decide.js';
import { planOf } from './outlook.js';
import { placementsOf } from './report/placements.js';

/**
 * Decides which worker runs which unit. Pure and deterministic: no clock, no randomness, and the order of the input's
 * lists does not matter, so every process computes the same plan.
 *
 * Units stay where they are unless they cannot. A unit that has to move moves at once. With `rebalance`, drains proceed a
 * few units at a time, and an uneven load is levelled, but only beyond a threshold and within limits. No worker exceeds its
 * capacity while the actions are carried out in the stated order. After that the next plan has no actions, except for
 * moves that were `held`.
 *
 * Throws `InvalidInputError` when a unit id or a worker URL occurs twice, or a unit has two moves.
 */
export function plan(input: PlanInput): PlanWithPlacements {
  const decision = decide(input);
  return {
    placements: placementsOf(input.units, decision.entries),
    ...runToEnd(planOf(input, decision)),
  };
}
