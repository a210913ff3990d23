import { UNSUBSCRIBE_RESEND } from './confirmation.js';
import type { Earliest } from './earliest.js';
import {
  pairKey,
  type DesiredEntry,
  type TrackedSubscription,
  type WorkerAction,
  type WorkerObservation,
} from './observation.js';
import { isCommandable } from './shown.js';
import type { StreamMove } from './moves/stream-move.js';

export interface SurplusInput {
  /** Monotonic milliseconds. */
  readonly now: number;
  readonly workers: readonly WorkerObservation[];
  readonly desired: ReadonlyMap<string, DesiredEntry>;
  readonly tracked: ReadonlyMap<string, TrackedSubscription>;
  readonly moves: ReadonlyMap<string, StreamMove>;
  /** Pairs of worker and unit that must stop now. */
  readonly stops: ReadonlySet<string>;
  /** Pair of worker and subscription → when it was last unsubscribed. */
  readonly unsubscribing: ReadonlyMap<string, number>;
  /** False while the desired state is not certain: subscriptions that seem unwanted are then left alone. */
  readonly mayUnsubscribe: boolean;
}

export interface Surplus {
  readonly actions: readonly WorkerAction[];
  readonly unsubscribing: Map<string, number>;
}

/** Stops streams that workers run but should not, and repeats the command while they report them. */
export function* unsubscribeSurplus(input: SurplusInput, wake: Earliest): Generator<void, Surplus> {
  const { now } = input;
  const current = new Set(input.workers.filter((worker) => worker.current).map(({ url }) => url));
  const actions: WorkerAction[] = [];
  const unsubscribing = new Map<string, number>();
  for (const worker of input.workers) {
    if (!isCommandable(worker)) continue;
    yield;
    for (const id of worker.reported.keys()) {
      if (!isSurplus(id, worker.url, input, current)) continue;
      const key = pairKey(worker.url, id);
      const last = input.unsubscribing.get(key);
      const due = last === undefined || now - last >= UNSUBSCRIBE_RESEND;
      if (due) actions.push({ type: 'unsubscribe', workerUrl: worker.url, subscriptionIdentifier: id });
      const sentAt = due ? now : last;
      unsubscribing.set(key, sentAt);
      wake.at(sentAt + UNSUBSCRIBE_RESEND);
    }
  }
  return { actions, unsubscribing };
}

/** Not desired; or desired elsewhere and already reported there; or stopped because its room is needed. */
function isSurplus(
  id: string,
  workerUrl: string,
  input: SurplusInput,
  current: ReadonlySet<string>,
): boolean {
  const entry = input.desired.get(id);
  if (entry === undefined) return input.mayUnsubscribe;
  const place = input.tracked.get(id);
  if (place === undefined || place.workerUrl === workerUrl) return false;
  if (input.moves.get(entry.cameraId)?.to === workerUrl) return false;
  if (input.unsubscribing.has(pairKey(workerUrl, id))) return true;
  if (input.stops.has(pairKey(workerUrl, entry.cameraId))) return true;
  return place.confirmed && current.has(place.workerUrl);
}
