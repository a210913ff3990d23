import { CONFIRMATION_DEADLINE } from '../confirmation.js';
import type { DesiredEntry, TrackedSubscription, WorkerObservation } from '../observation.js';
import { shownAt } from '../shown.js';
import type { EndedMove, StreamMove, ToldStream } from './stream-move.js';

export interface MovesInput {
  /** Monotonic milliseconds. */
  readonly now: number;
  readonly wallNow: number;
  readonly desired: ReadonlyMap<string, DesiredEntry>;
  readonly workers: ReadonlyMap<string, WorkerObservation>;
  readonly tracked: ReadonlyMap<string, TrackedSubscription>;
  readonly moves: ReadonlyMap<string, StreamMove>;
  readonly frozen: boolean;
}

export interface SettledMoves {
  /** Moves that continue. */
  readonly moves: Map<string, StreamMove>;
  readonly ended: EndedMove[];
  readonly tracked: ReadonlyMap<string, TrackedSubscription>;
}

/**
 * Ends finished moves. A move is cut over when the new worker shows the whole unit, with a picture wherever the old worker has
 * one: from then on the new worker's detections count. A move that takes too long fails.
 */
export function settleMoves(input: MovesInput): SettledMoves {
  if (input.moves.size === 0) return { moves: new Map(), ended: [], tracked: input.tracked };
  const members = membersOf(input.desired, input.moves);
  const tracked = new Map(input.tracked);
  const moves = new Map<string, StreamMove>();
  const ended: EndedMove[] = [];
  for (const [unitId, move] of input.moves) {
    const entries = members.get(unitId) ?? [];
    const outcome = outcomeOf(move, entries, input);
    if (outcome === null) {
      moves.set(unitId, move);
      continue;
    }
    ended.push({ move, outcome });
    if (outcome !== 'finished' && outcome !== 'taken-over') continue;
    for (const entry of entries) {
      const id = entry.spec.subscriptionIdentifier;
      const next = arrive(tracked.get(id), move, toldOf(move, id), outcome === 'finished', input.wallNow);
      if (next !== null) tracked.set(id, next);
    }
  }
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
  const refused = [...move.told.values()].some(
    ({ sentAt }) => sentAt !== null && now - sentAt >= CONFIRMATION_DEADLINE,
  );
  return refused || now >= move.deadline ? 'failed' : null;
}

/** A camera that has no picture at the old worker either does not hold up the move. */
function isReady(
  entry: DesiredEntry,
  move: StreamMove,
  from: WorkerObservation | undefined,
  to: WorkerObservation,
): boolean {
  const id = entry.spec.subscriptionIdentifier;
  const { seen, agrees, online } = shownAt(entry, toldOf(move, id), to);
  if (!seen || !agrees) return false;
  return online || (from?.current === true && from.reported.get(id)?.online !== true);
}

/** The subscription as one of the new worker. */
function arrive(
  previous: TrackedSubscription | undefined,
  { to }: StreamMove,
  told: ToldStream,
  shown: boolean,
  wallNow: number,
): TrackedSubscription | null {
  if (previous === undefined) return null;
  return {
    ...previous,
    ...told,
    ...(shown && { sentAt: null, attempts: 0, holder: to }),
    workerUrl: to,
    offline: null,
    confirmed: shown,
    assignedAt: wallNow,
  };
}

const NOTHING: ToldStream = { specHash: '', sentAt: null, attempts: 0 };

/** The command that the new worker was sent for a subscription. */
export const toldOf = ({ told }: StreamMove, id: string): ToldStream => told.get(id) ?? NOTHING;

function membersOf(
  desired: ReadonlyMap<string, DesiredEntry>,
  moves: ReadonlyMap<string, StreamMove>,
): Map<string, DesiredEntry[]> {
  const members = new Map<string, DesiredEntry[]>();
  for (const entry of desired.values()) {
    if (!moves.has(entry.cameraId)) continue;
    const others = members.get(entry.cameraId);
    if (others) others.push(entry);
    else members.set(entry.cameraId, [entry]);
  }
  return members;
}
