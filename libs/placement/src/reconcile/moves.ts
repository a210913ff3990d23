import type { LeaveReason, PlanMove, PlanAction } from '../planner/plan.types.js';
import { inChunks } from '../model/in-chunks.js';
import {
  pairKey,
  type DesiredEntry,
  type TrackedSubscription,
  type WorkerObservation,
} from './observation.js';
import { CONFIRMATION_DEADLINE, shownAt } from './confirmation.js';
import type { ReconcileInput } from './reconcile.js';

/** The command that the new worker of a moving unit was sent for one subscription. */
export type SentCommand = Pick<TrackedSubscription, 'specHash' | 'sentAt' | 'attempts'>;

/** A move under way: the unit runs at `from` until `to` shows all of it. */
export interface StreamMove extends PlanMove {
  readonly reason: LeaveReason;
  /** Wall clock, milliseconds. */
  readonly since: number;
  /** Deadline of the move. Monotonic milliseconds. */
  readonly deadline: number;
  /** Subscription → the command that `to` was sent. */
  readonly commands: ReadonlyMap<string, SentCommand>;
}

/** How long `to` may take to show the whole unit. Milliseconds. */
export const MOVE_TIMEOUT = 15_000;

/** A move that has ended. */
export interface EndedMove {
  readonly move: StreamMove;
  /**
   * `finished`: it runs at `to`. `taken-over`: `from` does not run it, so it is an ordinary subscription of `to` now. `failed`: `to`
   * did not report it in time. `aborted`: `to` can no longer take it. `not-desired`: the unit is no longer desired.
   */
  readonly outcome: 'finished' | 'taken-over' | 'failed' | 'aborted' | 'not-desired';
}

export interface CarryOutInput extends Pick<ReconcileInput, 'now' | 'wallNow' | 'moves'> {
  readonly actions: readonly PlanAction[];
  /** Unit → where it runs. */
  readonly placements: ReadonlyMap<string, string>;
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
  const begin = ({ unitId, from, to, reason }: Pick<StreamMove, keyof PlanMove | 'reason'>) => {
    const deadline = now + MOVE_TIMEOUT;
    const move = { unitId, from, to, reason, since: wallNow, deadline, commands: new Map() };
    begun.push(move);
    return move;
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
      if (!action.waits) ended.push({ move: begin(action), outcome: 'taken-over' });
    } else if (!action.waits && !unsendable.has(unitId)) moves.set(unitId, begin(action));
  });
  const placeOf = (unitId: string) =>
    changed.has(unitId) ? changed.get(unitId) : input.placements.get(unitId);
  return { placeOf, moves, begun, ended, stops, waiting };
}

const DOES_NOT_RUN: ReadonlySet<string> = new Set(['worker-offline', 'worker-removed', 'penalty']);

export interface MovesInput extends Pick<
  ReconcileInput,
  'now' | 'wallNow' | 'desired' | 'tracked' | 'moves' | 'frozen'
> {
  readonly workers: ReadonlyMap<string, WorkerObservation>;
}

export interface SettledMoves {
  /** Moves that continue. */
  readonly moves: Map<string, StreamMove>;
  readonly ended: EndedMove[];
  readonly tracked: ReadonlyMap<string, TrackedSubscription>;
}

/**
 * Ends finished moves. A move is cut over when the new worker shows the whole unit, with a picture wherever the old worker has
 * one: from then on the new worker's detections count. A move that takes too long fails. Yields where it may be interrupted.
 */
export function* settleMoves(input: MovesInput): Generator<void, SettledMoves> {
  if (input.moves.size === 0) return { moves: new Map(), ended: [], tracked: input.tracked };
  const members = yield* membersOf(input.desired, input.moves);
  const tracked = new Map<string, TrackedSubscription>();
  yield* inChunks(input.tracked, ([id, each]) => tracked.set(id, each));
  const moves = new Map<string, StreamMove>();
  const ended: EndedMove[] = [];
  yield* inChunks(input.moves, ([unitId, move]) => {
    const entries = members.get(unitId) ?? [];
    const outcome = outcomeOf(move, entries, input);
    if (outcome === null) {
      moves.set(unitId, move);
      return;
    }
    ended.push({ move, outcome });
    if (outcome !== 'finished' && outcome !== 'taken-over') return;
    for (const entry of entries) {
      const id = entry.spec.subscriptionIdentifier;
      const next = arrive(tracked.get(id), move, commandOf(move, id), outcome === 'finished', input.wallNow);
      if (next !== null) tracked.set(id, next);
    }
  });
  return { moves, ended, tracked };
}

function outcomeOf(
  move: StreamMove,
  entries: readonly DesiredEntry[],
  { workers, frozen, now }: MovesInput,
): EndedMove['outcome'] | null {
  if (entries.length === 0) return 'not-desired';
  const to = workers.get(move.to);
  const from = workers.get(move.from);
  if (to !== undefined && entries.every((entry) => isReady(entry, move, from, to))) return 'finished';
  if (from === undefined || (from.liveness === 'Offline' && !frozen)) return 'taken-over';
  const refused = [...move.commands.values()].some(
    ({ sentAt }) => sentAt !== null && now - sentAt >= CONFIRMATION_DEADLINE,
  );
  const shown = to === undefined ? [] : entries.map((entry) => shownOf(entry, move, to));
  const hasFailed = shown.some(({ agrees, modelState, seen }) => seen && agrees && modelState === 'failed');
  const isLoading = shown.some(({ modelState, seen }) => seen && modelState === 'loading');
  const deadline = isLoading ? move.deadline + LOADING_TIMEOUT : move.deadline;
  return refused || hasFailed || now >= deadline ? 'failed' : null;
}

/** How much longer a move may take while the new worker loads a model. Milliseconds. */
export const LOADING_TIMEOUT = 300_000;

const shownOf = (entry: DesiredEntry, move: StreamMove, to: WorkerObservation) =>
  shownAt(entry, commandOf(move, entry.spec.subscriptionIdentifier), to);

/** A camera that has no picture at the old worker either does not hold up the move. */
function isReady(
  entry: DesiredEntry,
  move: StreamMove,
  from: WorkerObservation | undefined,
  to: WorkerObservation,
): boolean {
  const id = entry.spec.subscriptionIdentifier;
  const { seen, agrees, modelState, online } = shownOf(entry, move, to);
  if (!seen || !agrees || modelState !== undefined) return false;
  return online || (from?.current === true && from.reported.get(id)?.online !== true);
}

/** The subscription as one of the new worker. */
function arrive(
  previous: TrackedSubscription | undefined,
  { to }: StreamMove,
  command: SentCommand,
  shown: boolean,
  wallNow: number,
): TrackedSubscription | null {
  if (previous === undefined) return null;
  return {
    ...previous,
    ...command,
    ...(shown && { sentAt: null, attempts: 0, holder: to }),
    workerUrl: to,
    offline: null,
    confirmed: shown,
    assignedAt: wallNow,
  };
}

const NOTHING: SentCommand = { specHash: '', sentAt: null, attempts: 0 };

/** The command that the new worker was sent for a subscription. */
export const commandOf = ({ commands }: StreamMove, id: string): SentCommand => commands.get(id) ?? NOTHING;

function* membersOf(
  desired: ReadonlyMap<string, DesiredEntry>,
  moves: ReadonlyMap<string, StreamMove>,
): Generator<void, Map<string, DesiredEntry[]>> {
  const members = new Map<string, DesiredEntry[]>();
  yield* inChunks(desired.values(), (entry) => {
    if (!moves.has(entry.cameraId)) return;
    const others = members.get(entry.cameraId);
    if (others) others.push(entry);
    else members.set(entry.cameraId, [entry]);
  });
  return members;
}
