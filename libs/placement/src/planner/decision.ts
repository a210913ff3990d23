import { InvalidInputError } from '../model/subscription-identifier.js';
import { inChunks } from '../model/in-chunks.js';
import type { Draft } from './draft.js';
import { type Choice, moveByChoice } from './move-by-choice.js';
import { Penalties } from './penalties.js';
import { placePending } from './place-pending.js';
import type { Plan, PlanInput, PlanWorker } from './plan.types.js';
import { actionsOf, explainUnplaced, scoresOf } from './report.js';
import { scheduleMoves } from './schedule-moves.js';
import { settleResidents } from './settle.js';
import { type UnitEntry, unitEntries } from './unit-entry.js';
import { WorkerSlot } from './worker-slot.js';

/** Units and workers after a plan. */
export interface Decision extends Omit<Draft, 'frozen'> {
  readonly unplaced: readonly UnitEntry[];
  readonly choice: Choice;
}

/**
 * The steps of a plan: which units stay, which need another worker, which move to balance the load, and which have to wait.
 * Yields where it may be interrupted.
 */
export function* decideSteps(input: PlanInput): Generator<void, Decision> {
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

/** Builds the result of a decision; yields where it may be interrupted. */
export function* planOf(input: PlanInput, decision: Decision): Generator<void, Plan> {
  const { entries, slots, penalties, unplaced, choice } = decision;
  const actions = yield* actionsOf(entries, input.placements, input.moves ?? []);
  yield;
  return {
    actions,
    unplaced: yield* explainUnplaced(unplaced, slots, penalties),
    scores: yield* scoresOf(slots, entries),
    ...(yield* choice.conclude(actions)),
  };
}
