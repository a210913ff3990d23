import { balanceFigures, beyondStart, participants } from './balance.js';
import type { Plan, PlanInput, PlanWorker } from './plan.types.js';
import { WorkerSlot } from './worker-slot.js';

/** What is known of a cluster in which everything is in place: enough to see whether only a change of the load makes a plan act. */
export interface RestingPlan {
  /** Worker to the sum of the costs of its units. */
  readonly allocated: ReadonlyMap<string, number>;
  /** The mean cost of a unit. */
  readonly meanCost: number;
}

/** Null: the next plan may have something to do, although nothing changes. */
export function restingPlan(
  { frozen = false, moves = [], units }: PlanInput,
  { actions, held, reviewAt, scores, state, unplaced }: Plan,
): RestingPlan | null {
  const waits = held.length > 0 || unplaced.length > 0 || reviewAt !== null;
  if (frozen || state === null || waits || actions.length > 0 || moves.length > 0) return null;
  if (state.rebalancing !== null) return null;
  const allocated = new Map(scores.map(({ url, allocated: sum }) => [url, sum]));
  let total = 0;
  for (const sum of allocated.values()) total += sum;
  return { allocated, meanCost: units.length === 0 ? 0 : total / units.length };
}

/**
 * Whether rebalancing would not start with what the workers report now. If nothing but these figures has changed since the plan, a plan
 * over all units would have no actions either. Takes time in proportion to the workers, not to the units.
 */
export function isStillBalanced(
  { allocated, meanCost }: RestingPlan,
  workers: readonly PlanWorker[],
): boolean {
  const slots = workers.map((worker) => {
    const sum = allocated.get(worker.url) ?? 0;
    const slot = new WorkerSlot(worker, sum);
    slot.allocated = sum;
    return slot;
  });
  return !beyondStart(balanceFigures(participants(slots), meanCost));
}
