import type { Rebalance, HeldMove, HoldReason, Plan, PlanAction, PlannerState } from './plan.types.js';
import type { WorkerSlot } from './worker-slot.js';
import type { Draft } from './draft.js';
import { DRAIN_DEADLINE } from './settle.js';
import { balanceFigures, participants } from './balance.js';
import { drain } from './drain.js';
import { rebalanceLoad } from './rebalance-load.js';
import { MoveLimits } from './move-limits.js';
import { inChunks } from '../model/in-chunks.js';
import { cooldownEnd, currentState, nextState, restEnd, roundEnd, SETTLING } from './planner-state.js';

export interface ChoiceInput extends Draft {
  /** Workers with units waiting for room. */
  readonly contended: ReadonlySet<WorkerSlot>;
  readonly rebalance: Rebalance | undefined;
}

type Conclusion = Pick<Plan, 'balance' | 'held' | 'state' | 'reviewAt'>;

export interface Choice {
  /** The parts of the plan that depend on all of its actions. Yields where it may be interrupted. */
  conclude(actions: readonly PlanAction[]): Generator<void, Conclusion>;
}

/** The moves that are not urgent: drains, then rebalancing. Yields where it may be interrupted. */
export function* moveByChoice(input: ChoiceInput): Generator<void, Choice> {
  const { entries, slots, rebalance } = input;
  const balanceWith = (rebalancing: boolean) => {
    // None of these figures depends on the mean cost.
    const { deviation, spread, allocationSpread } = balanceFigures(participants(slots), 0);
    return { deviation, spread, allocationSpread, rebalancing };
  };
  if (rebalance === undefined) {
    const none = { balance: balanceWith(false), held: [], state: null, reviewAt: null };
    return {
      *conclude() {
        yield;
        return none;
      },
    };
  }

  const { now } = rebalance;
  const state = yield* currentState(rebalance, slots);
  const fairShare = Math.ceil(entries.length / Math.max(1, participants(slots).length));
  const limits = yield* MoveLimits.of(state, entries, slots, fairShare);
  const drains = yield* drain({ ...input, limits });
  const { rebalancing, held } = yield* rebalanceLoad({
    ...input,
    limits,
    state,
    now,
    requested: rebalance.requested ?? false,
    heldBy: pauseOf(input.frozen, state, rebalance),
  });
  const allHeld = [...drains, ...held];
  return {
    *conclude(actions) {
      const next = yield* nextState(state, now, actions, rebalancing);
      return {
        balance: balanceWith(rebalancing !== null && rebalancing.left > 0),
        held: allHeld,
        state: next,
        reviewAt: yield* reviewAt(allHeld, next, slots, rebalance.opensAt ?? null),
      };
    },
  };
}

function pauseOf(
  frozen: boolean,
  { membership, rebalancing }: PlannerState,
  { now, opensAt = null, requested = false }: Rebalance,
): HoldReason | null {
  if (frozen) return 'frozen';
  if (now < membership.since + SETTLING) return 'settling';
  const mayMove = now >= (opensAt ?? now) || requested || rebalancing?.requested === true;
  return mayMove ? null : 'window';
}

/** When held moves may begin, if only time holds them. Yields where it may be interrupted. */
function* reviewAt(
  held: readonly HeldMove[],
  state: PlannerState,
  slots: readonly WorkerSlot[],
  opensAt: number | null,
): Generator<void, number | null> {
  const reasons = new Set<HoldReason>();
  yield* inChunks(held, ({ heldBy }) => reasons.add(heldBy));
  const times = [
    ...(reasons.has('settling') ? [state.membership.since + SETTLING] : []),
    ...(reasons.has('window') && opensAt !== null ? [opensAt] : []),
    ...(reasons.has('budget') ? [roundEnd(state)] : []),
    ...(reasons.has('resting') ? [restEnd(state)] : []),
    ...(reasons.has('cooldown') ? [yield* cooldownEnd(state)] : []),
    ...(reasons.has('no-room')
      ? slots.flatMap(({ worker }) =>
          worker.drainSince === undefined ? [] : [worker.drainSince + DRAIN_DEADLINE],
        )
      : []),
  ];
  return times.length === 0 ? null : Math.min(...times);
}
