import { plan } from '../planner/plan.js';
import type { PlanWorker } from '../planner/plan.types.js';
import { unitsOf } from '../planner/units-of.js';
import { penaltyDuration, UNSUBSCRIBE_RESEND } from './confirmation.js';
import {
  pairKey,
  type DesiredEntry,
  type Penalty,
  type TrackedSubscription,
  type WorkerAction,
  type WorkerObservation,
} from './observation.js';
import { rememberedPlacements } from './remembered-placements.js';
import { stepSubscription } from './subscription-step.js';

export interface ReconcileInput {
  /** Monotonic milliseconds. */
  readonly now: number;
  /** Wall clock milliseconds, for what people read. */
  readonly wallNow: number;
  readonly desired: ReadonlyMap<string, DesiredEntry>;
  readonly workers: readonly WorkerObservation[];
  readonly tracked: ReadonlyMap<string, TrackedSubscription>;
  readonly penalties: ReadonlyMap<string, Penalty>;
  /** Pair → when it was last unsubscribed. */
  readonly unsubscribing: ReadonlyMap<string, number>;
  /** A new master still waits for first reports: what no worker is known to run is not placed yet. */
  readonly settling: boolean;
  /** False while the desired state is not certain: nothing is taken down then. */
  readonly mayUnsubscribe: boolean;
}

export interface ReconcileResult {
  readonly tracked: Map<string, TrackedSubscription>;
  readonly penalties: Map<string, Penalty>;
  readonly unsubscribing: Map<string, number>;
  readonly actions: WorkerAction[];
  /** When to look again although nothing happens; null if never. Monotonic milliseconds. */
  readonly wakeAt: number | null;
}

/**
 * One level-based pass: from what should run, what is remembered and what workers report, decides what to send and what
 * to remember. Pure: no clock, no I/O; the same input gives the same result on every process.
 */
export function reconcile(input: ReconcileInput): ReconcileResult {
  const { now, wallNow, desired, workers } = input;
  const byUrl = new Map(workers.map((worker) => [worker.url, worker]));
  const penalties = new Map([...input.penalties].filter(([, { until }]) => until + PENALTY_MEMORY > now));
  const live = [...penalties.values()].filter(({ until }) => until > now);
  const wake = new EarliestOf();
  for (const { until } of live) wake.at(until);

  const before = rememberedPlacements(desired, input.tracked, workers);
  const placeable = [...desired.values()].filter(({ cameraId }) => !input.settling || before.has(cameraId));
  const units = unitsOf(placeable.map(({ spec }) => spec));
  const planned = plan({ units, workers: workers.map(toPlanWorker), placements: before, penalties: live });
  const reasons = new Map(planned.unplaced.map(({ unitId, reasons }) => [unitId, mainReason(reasons)]));

  const tracked = new Map<string, TrackedSubscription>();
  const actions: WorkerAction[] = [];
  const verifying = new Set<string>();
  const refusals = new Map<string, string>();
  const confirmedUnits = new Set<string>();

  for (const [id, entry] of desired) {
    const target = byUrl.get(planned.placements.get(entry.cameraId) ?? '');
    const { next, send, refused, wakeAt } = stepSubscription({
      entry,
      previous: input.tracked.get(id),
      target,
      unplacedReason: reasons.get(entry.cameraId) ?? 'settling',
      now,
      wallNow,
      mayVerify: target !== undefined && !verifying.has(target.url) && !input.settling,
    });
    if (send && target?.reported.has(id)) verifying.add(target.url);
    if (send) actions.push({ type: 'subscribe', workerUrl: next.workerUrl, subscriptionIdentifier: id });
    if (refused) refusals.set(entry.cameraId, next.workerUrl);
    if (next.confirmed) confirmedUnits.add(entry.cameraId);
    wake.at(wakeAt);
    if (next.reason === 'unverified') wake.at(now + VERIFY_INTERVAL);
    tracked.set(id, next);
  }

  for (const [unitId, workerUrl] of refusals) {
    // A camera whose other subscriptions this worker does serve stays: splitting it would open a second stream.
    if (confirmedUnits.has(unitId)) continue;
    const key = pairKey(workerUrl, unitId);
    const count = (penalties.get(key)?.count ?? 0) + 1;
    penalties.set(key, { unitId, workerUrl, until: now + penaltyDuration(count), count });
    wake.at(now);
  }

  const unsubscribing = new Map<string, number>();
  if (input.mayUnsubscribe) {
    for (const worker of workers) {
      if (!worker.current || worker.liveness !== 'Ready') continue;
      for (const id of worker.reported.keys()) {
        if (!isSurplus(id, worker.url, desired, tracked)) continue;
        const key = pairKey(worker.url, id);
        const last = input.unsubscribing.get(key);
        if (last === undefined || now - last >= UNSUBSCRIBE_RESEND) {
          actions.push({ type: 'unsubscribe', workerUrl: worker.url, subscriptionIdentifier: id });
          unsubscribing.set(key, now);
        } else unsubscribing.set(key, last);
        wake.at((unsubscribing.get(key) ?? now) + UNSUBSCRIBE_RESEND);
      }
    }
  }
  return { tracked, penalties, unsubscribing, actions, wakeAt: wake.value };
}

/** Streams of unknown origin are subscribed anew one at a time per worker. Milliseconds. */
const VERIFY_INTERVAL = 2_000;

/** A refusal is remembered beyond its penalty, so that the next one is longer. */
const PENALTY_MEMORY = 600_000;

/** Surplus: not desired at all, or desired elsewhere and already seen there. */
function isSurplus(
  id: string,
  workerUrl: string,
  desired: ReadonlyMap<string, DesiredEntry>,
  tracked: ReadonlyMap<string, TrackedSubscription>,
): boolean {
  if (!desired.has(id)) return true;
  const place = tracked.get(id);
  return place !== undefined && place.workerUrl !== '' && place.workerUrl !== workerUrl && place.confirmed;
}

function toPlanWorker(worker: WorkerObservation): PlanWorker {
  const { url, liveness, capacity, labels, cpu, memory, gpu, gpuMemory } = worker;
  return { url, state: liveness, capacity, cpu, memory, gpu, gpuMemory, ...(labels && { labels }) };
}

/** The reason most workers gave; `no-worker` when there was none to ask. */
function mainReason(reasons: Readonly<Partial<Record<string, number>>>): string {
  const [top] = Object.entries(reasons).sort(([a, x = 0], [b, y = 0]) => y - x || (a < b ? -1 : 1));
  return top?.[0] ?? 'no-worker';
}

class EarliestOf {
  value: number | null = null;

  at(time: number | null): void {
    if (time !== null && (this.value === null || time < this.value)) this.value = time;
  }
}
