import { type TrackedSubscription, type WorkerAction, type WorkerObservation } from './observation.js';
import type { ReconcileInput } from './reconcile.js';
import { isCommandable } from './confirmation.js';
import { stepSubscription, VERIFY_INTERVAL } from './subscription-step.js';

/** A worker has begun, changed or ended a stream, or has provably read a command. */
export interface StreamChange {
  readonly workerUrl: string;
  readonly subscriptionIdentifier: string;
}

export interface PartialResult {
  /** The subscriptions that were examined. */
  readonly tracked: Map<string, TrackedSubscription>;
  readonly actions: readonly WorkerAction[];
  /** Subscription → when to examine it again if nothing changes. Examined subscriptions without an entry need no further look. */
  readonly due: Map<string, number>;
}

/** How many subscriptions, and how many workers, are examined without a pause. */
const AT_ONCE = 50;

/**
 * The decisions of `reconcileSteps` about these subscriptions, provided that nothing else has changed since the last pass and the
 * planner has nothing to do. Null if that is not certain: then a full pass has to decide. Pure. Yields where it may be interrupted.
 * @param subscriptions those whose specification has changed (with the same hints), and those that are due
 */
export function* reconcileSome(
  input: ReconcileInput,
  subscriptions: Iterable<string>,
  streams: readonly StreamChange[],
): Generator<void, PartialResult | null> {
  const { desired, frozen, moves, now, rebalance, settling, tracked, wallNow } = input;
  if (settling || frozen || rebalance || moves.size > 0) return null;
  const workers = new Map(input.workers.map((worker) => [worker.url, worker]));
  const ids = new Set(subscriptions);
  for (const { subscriptionIdentifier: id, workerUrl } of streams) {
    // The stream has to stop there, or has stopped and left room.
    if (tracked.get(id)?.workerUrl !== workerUrl) return null;
    ids.add(id);
  }

  const next = new Map<string, TrackedSubscription>();
  const actions: WorkerAction[] = [];
  const due = new Map<string, number>();
  const verifying = new Set<string>();
  const confirmed = new Map<string, string>();
  let examined = 0;
  for (const id of ids) {
    if (++examined % AT_ONCE === 0) yield;
    const entry = desired.get(id);
    const previous = tracked.get(id);
    if (entry === undefined || previous === undefined) return null;
    const target = workers.get(previous.workerUrl);
    if (target === undefined || target.liveness !== 'Ready' || !isCommandable(target)) return null;
    const step = stepSubscription({
      entry,
      previous,
      target,
      unplacedReason: '',
      now,
      wallNow,
      mayVerify: !verifying.has(target.url),
      settling: false,
    });
    if (step.refused) return null;
    if (step.next.confirmed && !previous.confirmed) confirmed.set(id, target.url);
    if (step.send && target.reported.has(id)) verifying.add(target.url);
    if (step.send) actions.push({ type: 'subscribe', workerUrl: target.url, subscriptionIdentifier: id });
    next.set(id, step.next);
    const lookAt = step.next.reason === 'unverified' ? now + VERIFY_INTERVAL : step.wakeAt;
    if (lookAt !== null) due.set(id, lookAt);
  }
  // Streams that other workers still run can stop now.
  for (const worker of confirmed.size === 0 ? [] : input.workers) {
    if (++examined % AT_ONCE === 0) yield;
    if (runsForAnother(worker, confirmed)) return null;
  }
  return { tracked: next, actions, due };
}

/** Whether a worker reports a subscription that another one holds. Looks through the shorter list: both may be long. */
function runsForAnother({ reported, url }: WorkerObservation, holders: ReadonlyMap<string, string>): boolean {
  const isHeldElsewhere = (id: string) => (holders.get(id) ?? url) !== url && reported.has(id);
  const shorter = holders.size < reported.size ? holders : reported;
  for (const id of shorter.keys()) if (isHeldElsewhere(id)) return true;
  return false;
}
