import { inChunks } from '../model/in-chunks.js';
import type { SentCommand, StreamMove } from './moves.js';
import { pairKey } from './observation.js';
import type { PartialResult } from './reconcile-some.js';
import type { ReconcileResult } from './reconcile.js';

type Decided = PartialResult & Partial<Pick<ReconcileResult, 'begun' | 'moves' | 'unsubscribing'>>;

/**
 * Has the times of commands count from `at`, when they are sent, and not from `decidedAt`, when their pass began. With very many
 * subscriptions a pass takes seconds. A command would be repeated, or its worker counted as refusing it, before the worker can have reported.
 * In place where possible, because copying very many subscriptions is slow. Yields where it may be interrupted.
 */
export function* sentLater<T extends Decided>(result: T, decidedAt: number, at: number): Generator<void, T> {
  const { actions, due, tracked } = result;
  const delay = at - decidedAt;
  const unsubscribing = result.unsubscribing && new Map(result.unsubscribing);
  yield* inChunks(actions, ({ subscriptionIdentifier: id, type, workerUrl }) => {
    if (type === 'unsubscribe') {
      unsubscribing?.set(pairKey(workerUrl, id), at);
      return;
    }
    const next = tracked.get(id);
    if (next?.workerUrl !== workerUrl || next.sentAt !== decidedAt) return;
    tracked.set(id, { ...next, sentAt: at });
    const lookAt = due.get(id);
    if (lookAt !== undefined) due.set(id, lookAt + delay);
  });
  if (result.moves === undefined) return result;
  const begun = new Set(result.begun?.map(({ unitId }) => unitId));
  const moves = new Map<string, StreamMove>();
  for (const move of result.moves.values()) {
    const deadline = begun.has(move.unitId) ? move.deadline + delay : move.deadline;
    const commands = new Map<string, SentCommand>();
    for (const [id, command] of move.commands)
      commands.set(id, command.sentAt === decidedAt ? { ...command, sentAt: at } : command);
    moves.set(move.unitId, { ...move, deadline, commands });
  }
  return { ...result, moves, unsubscribing };
}
