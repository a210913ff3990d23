import type { PlanAction } from '../../planner/plan.types.js';
import { inChunks } from '../../util/run-in-slices.js';
import { pairKey } from '../observation.js';
import { MOVE_TIMEOUT, type EndedMove, type StreamMove } from './stream-move.js';

export interface CarryOutInput {
  /** Monotonic milliseconds. */
  readonly now: number;
  readonly wallNow: number;
  readonly actions: readonly PlanAction[];
  /** Unit → where it runs. */
  readonly placements: ReadonlyMap<string, string>;
  readonly moves: ReadonlyMap<string, StreamMove>;
  /** Units that cannot be sent now; they stay where they run. */
  readonly unsendable: ReadonlySet<string>;
}

export interface CarriedOut {
  /** The worker of each unit; for a moving unit, the worker that still runs it. */
  placeOf(unitId: string): string | undefined;
  readonly moves: Map<string, StreamMove>;
  readonly begun: readonly StreamMove[];
  readonly ended: readonly EndedMove[];
  /** Pairs of worker and unit that must stop now, whether or not the unit runs elsewhere. */
  readonly stops: ReadonlySet<string>;
  /** Units that have a worker but no room on it yet. */
  readonly waiting: ReadonlySet<string>;
}

/** Selects the actions that begin now. Later plans, made when these are done, contain the rest. Yields where it may be interrupted. */
export function* carryOut(input: CarryOutInput): Generator<void, CarriedOut> {
  const { now, wallNow, unsendable } = input;
  const changed = new Map<string, string | undefined>();
  const moves = new Map(input.moves);
  const begun: StreamMove[] = [];
  const ended: EndedMove[] = [];
  const stops = new Set<string>();
  const waiting = new Set<string>();
  const place = (unitId: string, to: string, waits: boolean) => {
    if (!waits) changed.set(unitId, to);
    else waiting.add(unitId);
  };
  yield* inChunks(input.actions, (action) => {
    const { unitId } = action;
    if (action.type === 'place') place(unitId, action.to, action.waits);
    else if (action.type === 'abort') {
      const move = moves.get(unitId);
      if (move !== undefined)
        ended.push({ move, outcome: action.reason === 'not-desired' ? 'not-desired' : 'aborted' });
      moves.delete(unitId);
      stops.add(pairKey(action.to, unitId));
    } else if (action.type === 'evict') {
      changed.set(unitId, undefined);
      stops.add(pairKey(action.from, unitId));
    } else if (action.breaksFirst) {
      changed.set(unitId, undefined);
      // A unit that does not run there needs no stop. If it appears there late, it may stay until it runs elsewhere.
      if (!DOES_NOT_RUN.has(action.reason)) stops.add(pairKey(action.from, unitId));
      place(unitId, action.to, action.waits);
    } else if (!action.waits && !unsendable.has(unitId)) {
      const { from, to, reason } = action;
      const move = {
        unitId,
        from,
        to,
        reason,
        since: wallNow,
        deadline: now + MOVE_TIMEOUT,
        told: new Map(),
      };
      moves.set(unitId, move);
      begun.push(move);
    }
  });
  const placeOf = (unitId: string) =>
    changed.has(unitId) ? changed.get(unitId) : input.placements.get(unitId);
  return { placeOf, moves, begun, ended, stops, waiting };
}

const DOES_NOT_RUN: ReadonlySet<string> = new Set(['worker-offline', 'worker-removed', 'penalty']);
