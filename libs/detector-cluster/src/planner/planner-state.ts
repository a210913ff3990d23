import type { Rebalance, PlanAction, PlannerState } from './plan.types.js';
import { hashString } from './rendezvous.js';
import type { WorkerSlot } from './worker-slot.js';

/** Budgets count from round to round. Milliseconds. */
const ROUND = 30_000;
/** A moved unit is not moved by choice again for this time. Milliseconds. */
const COOLDOWN = 300_000;

/** After a move that failed. Milliseconds. */
export const LONGEST_COOLDOWN = 2 * COOLDOWN;
/** Moves by choice pause for this time after the state of a worker has changed. Milliseconds. */
export const SETTLING = 20_000;

/** The remembered state without entries that have expired at `now`; new entries start at `now`. */
export function currentState({ now, state }: Rebalance, slots: readonly WorkerSlot[]): PlannerState {
  const digest = membershipDigest(slots);
  const unchanged = state !== null && state.membership.digest === digest;
  const sameRound = state !== null && now - state.round.startedAt < ROUND;
  return {
    rebalancing: isOver(state?.rebalancing ?? null, now) ? null : (state?.rebalancing ?? null),
    cooldowns: state?.cooldowns.filter(([, until]) => until > now) ?? [],
    round: sameRound ? state.round : { startedAt: now, moves: 0 },
    membership: unchanged ? state.membership : { digest, since: now },
  };
}

/** The state after a plan has been made. */
export function nextState(
  current: PlannerState,
  now: number,
  actions: readonly PlanAction[],
  rebalancing: PlannerState['rebalancing'],
): PlannerState {
  const cooldowns = new Map(current.cooldowns);
  let chosen = 0;
  for (const action of actions) {
    if (action.type !== 'move') continue;
    if (action.reason === 'balance') chosen += 1;
    cooldowns.set(action.unitId, now + COOLDOWN);
  }
  return {
    rebalancing,
    cooldowns: [...cooldowns].sort(([a], [b]) => (a < b ? -1 : 1)),
    round: { startedAt: current.round.startedAt, moves: current.round.moves + chosen },
    membership: current.membership,
  };
}

/** The caller calls this when a move failed because its destination did not take the unit: doubles the unit's cooldown. */
export function afterFailedMove(state: PlannerState, unitId: string, now: number): PlannerState {
  const others = state.cooldowns.filter(([id]) => id !== unitId);
  const cooldowns = [...others, [unitId, now + LONGEST_COOLDOWN] as const].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return { ...state, cooldowns };
}

/** When rebalancing that pauses may start again. */
export const restEnd = ({ rebalancing }: PlannerState): number => (rebalancing?.since ?? 0) + COOLDOWN;

function isOver(rebalancing: PlannerState['rebalancing'], now: number): boolean {
  return rebalancing !== null && rebalancing.left <= 0 && now >= rebalancing.since + COOLDOWN;
}

/** When the current round ends. */
export const roundEnd = ({ round }: PlannerState): number => round.startedAt + ROUND;

function membershipDigest(slots: readonly WorkerSlot[]): number {
  let digest = 0;
  for (const { url, draining, worker } of slots) {
    const standing = draining ? 'draining' : worker.cordoned ? 'cordoned' : 'open';
    // Slots are sorted, so the digest may depend on their order.
    digest = (Math.imul(digest, 31) + hashString(`${url} ${worker.state} ${standing}`)) >>> 0;
  }
  return digest;
}
