import { type TrackedSubscription, pairKey } from './observation.js';
import type { PartialResult } from './reconcile-some.js';
import type { ReconcileResult } from './reconcile.js';

/**
 * Decisions about single subscriptions that were carried out while a full pass was being decided. That pass may have read
 * them before or after they changed.
 */
export class PartialDecisions {
  private readonly tracked = new Map<string, TrackedSubscription>();
  private readonly due = new Map<string, number>();

  get subscriptions(): Iterable<string> {
    return this.tracked.keys();
  }

  add({ due, tracked }: PartialResult): void {
    for (const [id, next] of tracked) {
      this.tracked.set(id, next);
      const at = due.get(id);
      if (at === undefined) this.due.delete(id);
      else this.due.set(id, at);
    }
  }

  /** The result with these decisions replacing its own, except for subscriptions that the pass moves. */
  keptIn(result: ReconcileResult): ReconcileResult {
    if (this.tracked.size === 0) return result;
    // In place, because copying very many subscriptions is slow.
    const { due, tracked } = result;
    const kept = new Set<string>();
    for (const [id, own] of this.tracked) {
      if (tracked.get(id)?.workerUrl !== own.workerUrl) continue;
      kept.add(pairKey(own.workerUrl, id));
      tracked.set(id, own);
      const at = this.due.get(id);
      if (at === undefined) due.delete(id);
      else due.set(id, at);
    }
    const actions = result.actions.filter(
      ({ subscriptionIdentifier, type, workerUrl }) =>
        type !== 'subscribe' || !kept.has(pairKey(workerUrl, subscriptionIdentifier)),
    );
    return { ...result, actions };
  }
}
