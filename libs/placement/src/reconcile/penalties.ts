import type { PlanPenalty, RejectionReason } from '../planner/plan.types.js';
import { inChunks } from '../model/in-chunks.js';
import { penaltyDuration } from './confirmation.js';
import { type DesiredEntry, pairKey, type Penalty } from './observation.js';

/** A refusal is remembered beyond its penalty, so that the next penalty is longer and other workers are preferred. Milliseconds. */
const MEMORY = 600_000;

/**
 * The penalties that are still remembered. A refusal of another subscription, e.g. with a file that could not be loaded, says nothing about the
 * present one. Yields where it may be interrupted.
 */
export function* livePenalties(
  penalties: ReadonlyMap<string, Penalty>,
  desired: ReadonlyMap<string, DesiredEntry>,
  wallNow: number,
): Generator<void, Map<string, Penalty>> {
  const live = new Map<string, Penalty>();
  yield* inChunks(penalties, ([key, penalty]) => {
    const { refused, until } = penalty;
    const isSame =
      refused === undefined || desired.get(refused.subscriptionIdentifier)?.hash === refused.hash;
    if (isSame && until + MEMORY > wallNow) live.set(key, penalty);
  });
  return live;
}

/**
 * Notes that a worker did not take a unit. Each further refusal makes the penalty longer. Returns the penalty.
 * @param refused what it did not take; absent: the whole unit
 */
export function penalise(
  penalties: Map<string, Penalty>,
  unitId: string,
  workerUrl: string,
  wallNow: number,
  refused?: Penalty['refused'],
): Penalty {
  const key = pairKey(workerUrl, unitId);
  const count = (penalties.get(key)?.count ?? 0) + 1;
  const until = wallNow + penaltyDuration(count);
  const penalty = { unitId, workerUrl, until, count, ...(refused && { refused }) };
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
