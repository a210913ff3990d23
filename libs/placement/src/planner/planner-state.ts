import { filterInChunks, inChunks } from '../model/in-chunks.js';
import { sortByText } from '../model/sort-in-steps.js';
import type { Rebalance, PlanAction, PlannerState } from './plan.types.js';
import { hashString } from './rendezvous.js';
import type { WorkerSlot } from './worker-slot.js';

/** Budgets count from round to round. Milliseconds. */
const ROUND = 30_000;
/** A moved unit is not moved by choice again for this time. Milliseconds. */
const COOLDOWN = 300_000;

/** After a move that failed. Milliseconds. */
export const MAX_COOLDOWN = 2 * COOLDOWN;
/** Moves by choice pause for this time after the state of a worker has changed. Milliseconds. */
export const SETTLING = 20_000;

/** The remembered state without entries that have expired at `now`; new entries start at `now`. Yields where it may be interrupted. */
export function* currentState(
  { now, state }: Rebalance,
  slots: readonly WorkerSlot[],
): Generator<void, PlannerState> {
  const digest = membershipDigest(slots);
  const unchanged = state !== null && state.membership.digest === digest;
  const sameRound = state !== null && now - state.round.startedAt < ROUND;
  return {
    rebalancing: isOver(state?.rebalancing ?? null, now) ? null : (state?.rebalancing ?? null),
    cooldowns: yield* filterInChunks(state?.cooldowns ?? [], ([, until]) => until > now),
    round: sameRound ? state.round : { startedAt: now, moves: 0 },
    membership: unchanged ? state.membership : { digest, since: now },
  };
}

/** The state after a plan has been made. Yields where it may be interrupted. */
export function* nextState(
  current: PlannerState,
  now: number,
  actions: readonly PlanAction[],
  rebalancing: PlannerState['rebalancing'],
): Generator<void, PlannerState> {
  const moved = new Map<string, number>();
  let chosen = 0;
  yield* inChunks(actions, (action) => {
    if (action.type !== 'move') return;
    if (action.reason === 'balance') chosen += 1;
    moved.set(action.unitId, now + COOLDOWN);
  });
  return {
    rebalancing,
    cooldowns: yield* withCooldowns(current.cooldowns, moved),
    round: { startedAt: current.round.startedAt, moves: current.round.moves + chosen },
    membership: current.membership,
  };
}

/**
 * The state after the moves of some units have failed because their destinations did not take them: doubles their cooldowns. Yields
 * where it may be interrupted.
 */
export function* afterFailedMoves(
  state: PlannerState,
  unitIds: readonly string[],
  now: number,
): Generator<void, PlannerState> {
  const failed = new Map<string, number>();
  yield* inChunks(unitIds, (unitId) => failed.set(unitId, now + MAX_COOLDOWN));
  return { ...state, cooldowns: yield* withCooldowns(state.cooldowns, failed) };
}

/** Sorted by unit. `added` replaces those of the same units. */
function* withCooldowns(
  cooldowns: PlannerState['cooldowns'],
  added: ReadonlyMap<string, number>,
): Generator<void, PlannerState['cooldowns']> {
  if (added.size === 0) return cooldowns;
  const all: (readonly [unitId: string, until: number])[] = [];
  yield* inChunks(added, (cooldown) => all.push(cooldown));
  yield* inChunks(cooldowns, (cooldown) => {
    if (!added.has(cooldown[0])) all.push(cooldown);
  });
  return yield* sortByText(all, ([unitId]) => unitId);
}

/** When the first unit may be moved by choice again; infinity without cooldowns. Yields where it may be interrupted. */
export function* cooldownEnd({ cooldowns }: PlannerState): Generator<void, number> {
  let first = Infinity;
  yield* inChunks(cooldowns, ([, until]) => void (first = Math.min(first, until)));
  return first;
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
