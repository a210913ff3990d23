import type { PlanInput, PlanWorker } from './plan.types.js';
import { InvalidInputError } from '../model/subscription-identifier.js';
import { runToEnd, inChunks } from '../util/run-in-slices.js';
import { WorkerSlot } from './worker-slot.js';
import { moveByChoice, type Choice } from './move-by-choice.js';
import { scheduleMoves } from './schedule-moves.js';
import { placePending } from './place-pending.js';
import { settleResidents } from './settle.js';
import { Penalties } from './penalties.js';
import { unitEntries, type UnitEntry } from './unit-entry.js';

/** Units and workers after a plan. */
export interface Decision {
  readonly entries: readonly UnitEntry[];
  /** Sorted by URL. */
  readonly slots: readonly WorkerSlot[];
  readonly penalties: Penalties;
  readonly unplaced: readonly UnitEntry[];
  readonly choice: Choice;
}

/** {@link decideSteps} in one go. */
export function decide(input: PlanInput): Decision {
  return runToEnd(decideSteps(input));
}

/**
 * The steps of a plan: which units stay, which need another worker, which move to level the load, and which have to wait.
 * Yields where it may be interrupted.
 */
export function* decideSteps(input: PlanInput): Generator<void, Decision> {
  const { frozen = false, rebalance, moves = [] } = input;
  const penalties = new Penalties(input.penalties ?? []);
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
  const choice = moveByChoice({ entries, slots, contended, penalties, frozen, rebalance });
  yield;
  scheduleMoves(entries, byUrl);
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
  const sorted = workers.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  return sorted.map((worker, i) => {
    if (sorted[i - 1]?.url === worker.url)
      throw new InvalidInputError('workers', `${worker.url} occurs twice`);
    return new WorkerSlot(worker, allocated.get(worker.url) ?? 0);
  });
}
