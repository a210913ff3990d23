import type { PlanPenalty, RejectionReason } from '../planner/plan.types.js';
import { inChunks } from '../steps/in-chunks.js';
import { penaltyDuration } from './confirmation.js';
import { pairKey, type Penalty } from './observation.js';

/** A refusal is remembered beyond its penalty, so that the next penalty is longer and other workers are preferred. Milliseconds. */
const MEMORY = 600_000;

/** The penalties that are still remembered. Yields where it may be interrupted. */
export function* livePenalties(
  penalties: ReadonlyMap<string, Penalty>,
  wallNow: number,
): Generator<void, Map<string, Penalty>> {
  const live = new Map<string, Penalty>();
  yield* inChunks(penalties, ([key, penalty]) => {
    if (penalty.until + MEMORY > wallNow) live.set(key, penalty);
  });
  return live;
}

/** Notes that a worker did not take a unit. Each further refusal makes the penalty longer. Returns the penalty. */
export function penalise(
  penalties: Map<string, Penalty>,
  unitId: string,
  workerUrl: string,
  wallNow: number,
): Penalty {
  const key = pairKey(workerUrl, unitId);
  const count = (penalties.get(key)?.count ?? 0) + 1;
  const penalty = { unitId, workerUrl, until: wallNow + penaltyDuration(count), count };
  penalties.set(key, penalty);
  return penalty;
}

/** In the planner's form: hard until the penalty ends, soft afterwards. */
export function planPenalties(penalties: ReadonlyMap<string, Penalty>, wallNow: number): PlanPenalty[] {
  return [...penalties.values()].map(({ unitId, workerUrl, until }) => ({
    unitId,
    workerUrl,
    soft: until <= wallNow,
  }));
}

/** The planner's name for a worker that did not take a unit in time. */
export const PENALTY_REASON: RejectionReason = 'penalty';
