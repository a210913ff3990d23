import type { TrackedSubscription, WorkerAction } from './observation.js';
import type { ReconcileInput, ReconcileResult } from './reconcile.js';
import type { StreamMove } from './moves.js';

export type UnsentAction = WorkerAction & {
  /**
   * Why a subscription that has a worker is not sent: `model-url-unavailable`, or `worker-list-incomplete` if its worker accepts only
   * whole lists and the parameters of another subscription there are unknown.
   */
  readonly reason: 'model-url-unavailable' | 'worker-list-incomplete';
};

/**
 * Adjusts the result of a pass if some subscribes cannot be sent: records them as not sent, with the reason. In place where
 * possible, because copying very many subscriptions is slow.
 */
export function withoutUnsent(
  result: ReconcileResult,
  { tracked: before, moves: movesBefore, wallNow }: ReconcileInput,
  unsent: readonly UnsentAction[],
): ReconcileResult {
  const { tracked } = result;
  const moves = new Map(result.moves);
  for (const { subscriptionIdentifier: id, workerUrl, reason } of unsent) {
    const next = tracked.get(id)!;
    if (next.workerUrl === workerUrl) tracked.set(id, unsentAt(next, before.get(id), reason, wallNow));
    else
      for (const move of result.moves.values())
        if (move.to === workerUrl && move.commands.has(id))
          moves.set(move.unitId, withoutCommand(move, id, movesBefore));
  }
  return { ...result, moves };
}

function unsentAt(
  next: TrackedSubscription,
  previous: TrackedSubscription | undefined,
  reason: UnsentAction['reason'],
  wallNow: number,
): TrackedSubscription {
  const same = previous?.workerUrl === next.workerUrl ? previous : undefined;
  const status = next.holder === '' ? 'pending' : 'recovering';
  return {
    ...next,
    specHash: same?.specHash ?? '',
    sentAt: same?.sentAt ?? null,
    attempts: same?.attempts ?? 0,
    offline: same?.offline ?? null,
    confirmed: same?.confirmed ?? false,
    status,
    reason,
    since: previous?.status === status ? previous.since : wallNow,
  };
}

function withoutCommand(move: StreamMove, id: string, before: ReadonlyMap<string, StreamMove>): StreamMove {
  const commands = new Map(move.commands);
  const earlier = before.get(move.unitId)?.commands.get(id);
  if (earlier === undefined) commands.delete(id);
  else commands.set(id, earlier);
  return { ...move, commands };
}
