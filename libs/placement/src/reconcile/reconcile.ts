import type { Plan, PlannerState } from '../planner/plan.types.js';
import { afterFailedMoves } from '../planner/planner-state.js';
import { planSteps } from '../planner/plan.js';
import { ExplainedPlan } from '../planner/explained-plan.js';
import { restingPlan, type RestingPlan } from '../planner/resting-plan.js';
import {
  carryOut,
  settleMoves,
  commandOf,
  LOADING_TIMEOUT,
  type EndedMove,
  type StreamMove,
  type SentCommand,
} from './moves.js';
import { inChunks } from '../model/in-chunks.js';
import {
  pairKey,
  type DesiredEntry,
  type Penalty,
  type TrackedSubscription,
  type WorkerAction,
  type WorkerObservation,
} from './observation.js';
import { livePenalties, penalise } from './penalties.js';
import { planInputOf } from './plan-input.js';
import { stepArrival, stepSubscription, VERIFY_INTERVAL } from './subscription-step.js';
import { UNSUBSCRIBE_RESEND, isCommandable } from './confirmation.js';

export interface ReconcileInput {
  /** Monotonic milliseconds. */
  readonly now: number;
  /** Wall clock milliseconds, for times that people read or that outlive the master. */
  readonly wallNow: number;
  readonly desired: ReadonlyMap<string, DesiredEntry>;
  readonly workers: readonly WorkerObservation[];
  readonly tracked: ReadonlyMap<string, TrackedSubscription>;
  /** Unit → its move. */
  readonly moves: ReadonlyMap<string, StreamMove>;
  readonly penalties: ReadonlyMap<string, Penalty>;
  readonly plannerState: PlannerState | null;
  /** Pair of worker and subscription → when it was last unsubscribed. */
  readonly unsubscribing: ReadonlyMap<string, number>;
  /** A new master still waits for first reports: subscriptions that no known worker runs are not placed yet, and nothing stops. */
  readonly settling: boolean;
  /** False while the desired state is not certain: subscriptions that seem unwanted then keep running. */
  readonly mayUnsubscribe: boolean;
  /** The network of this process seems to fail: placed subscriptions stay where they are. */
  readonly frozen: boolean;
  /** A caller has requested a rebalance now. */
  readonly rebalance: boolean;
  /** When the next window for moves opens, wall clock, milliseconds; null: it is open, or there is none. */
  readonly opensAt: number | null;
}

export interface ReconcileResult {
  readonly tracked: Map<string, TrackedSubscription>;
  readonly moves: ReadonlyMap<string, StreamMove>;
  readonly penalties: Map<string, Penalty>;
  readonly plannerState: PlannerState | null;
  readonly unsubscribing: ReadonlyMap<string, number>;
  readonly actions: readonly WorkerAction[];
  readonly plan: Plan;
  /** Null while the planner may have something to do although nothing changes. */
  readonly resting: RestingPlan | null;
  readonly begun: readonly StreamMove[];
  readonly ended: readonly EndedMove[];
  /** The workers that did not take a unit in time, as found by this pass. */
  readonly refusals: readonly Refusal[];
  /** Subscription → when to examine it again if nothing changes. Monotonic milliseconds. */
  readonly due: Map<string, number>;
  /** When to run the next full pass if nothing changes; null if never. Monotonic milliseconds. */
  readonly wakeAt: number | null;
}

/** A worker has not shown a unit in its reports in time, or cannot load its model. */
export interface Refusal {
  readonly unitId: string;
  readonly workerUrl: string;
  /**
   * The worker does not get the unit before this instant; wall clock, milliseconds. Null: the unit stays there, because the worker
   * serves its other subscriptions.
   */
  readonly until: number | null;
  /** Why it cannot load the model, in its own words; absent: it has not taken the unit in time. */
  readonly problem?: string;
}

/**
 * One level-based pass: from the desired state, the master's memory and the workers' reports, decides what to send and what to
 * remember. Pure: no clock, no I/O; the same input gives the same result in every process. Yields where it may be interrupted, because a pass
 * over very many subscriptions takes long.
 */
export function* reconcileSteps(input: ReconcileInput): Generator<void, ReconcileResult> {
  const { now, wallNow, desired, workers } = input;
  const byUrl = new Map(workers.map((worker) => [worker.url, worker]));
  const wake = new Earliest();
  const atWall = (time: number | null) => wake.at(time === null ? null : now + Math.max(0, time - wallNow));

  const { planInput, penalties, settled } = yield* beforePlan(input);
  yield;
  const planned = yield* planSteps(planInput);
  yield;
  atWall(planned.reviewAt);
  for (const { until } of penalties.values()) if (until > wallNow) atWall(until);
  const unsendable = yield* redactedUnits(desired);
  const done = yield* carryOut({
    now,
    wallNow,
    actions: planned.actions,
    placements: planInput.placements,
    moves: settled.moves,
    unsendable,
  });
  const reasons = new Map<string, string>();
  yield* inChunks(planned.unplaced, (unit) => reasons.set(unit.unitId, mainReason(unit.reasons)));
  for (const unitId of done.waiting) reasons.set(unitId, 'waiting-for-room');

  const tracked = new Map<string, TrackedSubscription>();
  const subscribes: WorkerAction[] = [];
  const verifying = new Set<string>();
  const refusing = new Map<string, Omit<Refusal, 'until'> & Required<Pick<Penalty, 'refused'>>>();
  const newlyRefused = new Set<string>();
  const commands = new Map<string, Map<string, SentCommand>>();
  const due = new Map<string, number>();

  yield* inChunks(desired, ([id, entry]) => {
    const target = byUrl.get(done.placeOf(entry.cameraId) ?? '');
    const { next, send, refused, wakeAt } = stepSubscription({
      entry,
      previous: settled.tracked.get(id),
      target,
      unplacedReason: reasons.get(entry.cameraId) ?? 'settling',
      now,
      wallNow,
      mayVerify: target !== undefined && !verifying.has(target.url) && !input.settling,
      settling: input.settling,
    });
    if (send && target?.reported.has(id)) verifying.add(target.url);
    if (send) subscribes.push({ type: 'subscribe', workerUrl: next.workerUrl, subscriptionIdentifier: id });
    if (refused) {
      const { detail: problem, workerUrl } = next;
      refusing.set(entry.cameraId, {
        unitId: entry.cameraId,
        workerUrl,
        refused: { subscriptionIdentifier: id, hash: entry.hash },
        ...(problem !== undefined && { problem }),
      });
    }
    if (refused && settled.tracked.get(id)?.reason !== next.reason) newlyRefused.add(entry.cameraId);
    const lookAt = next.reason === 'unverified' ? now + VERIFY_INTERVAL : wakeAt;
    if (lookAt !== null) due.set(id, lookAt);
    tracked.set(id, next);

    const move = done.moves.get(entry.cameraId);
    if (move === undefined) return;
    const arrival = stepArrival(entry, commandOf(move, id), byUrl.get(move.to), now);
    if (arrival.send) subscribes.push({ type: 'subscribe', workerUrl: move.to, subscriptionIdentifier: id });
    wake.at(arrival.wakeAt);
    const others = commands.get(entry.cameraId) ?? new Map<string, SentCommand>();
    commands.set(entry.cameraId, others.set(id, arrival.command));
  });

  const confirmedUnits = yield* confirmedAmong(refusing, desired, tracked);
  const refusals: Refusal[] = [];
  yield* inChunks(refusing.values(), ({ refused, ...refusal }) => {
    const { unitId, workerUrl } = refusal;
    // A camera stays if this worker serves its other subscriptions, because splitting it would open a second stream.
    if (confirmedUnits.has(unitId)) {
      if (newlyRefused.has(unitId)) refusals.push({ ...refusal, until: null });
      return;
    }
    refusals.push({ ...refusal, until: penalise(penalties, unitId, workerUrl, wallNow, refused).until });
    wake.at(now);
  });

  const moves = new Map<string, StreamMove>();
  for (const move of done.moves.values()) {
    moves.set(move.unitId, { ...move, commands: commands.get(move.unitId) ?? move.commands });
    // Past its deadline it waits for a model.
    wake.at(move.deadline > now ? move.deadline : move.deadline + LOADING_TIMEOUT);
  }
  const surplus = input.settling
    ? { actions: [], unsubscribing: input.unsubscribing }
    : yield* unsubscribeSurplus({ ...input, tracked, moves, stops: done.stops }, wake);
  return {
    tracked,
    moves,
    penalties,
    plannerState: planned.state,
    unsubscribing: surplus.unsubscribing,
    // Stop commands go first, because they make room.
    actions: [...surplus.actions, ...subscribes],
    plan: planned,
    resting: input.settling ? null : restingPlan(planInput, planned),
    begun: done.begun,
    ended: [...settled.ended, ...done.ended],
    refusals,
    due,
    wakeAt: wake.value,
  };
}

/** What a drain of a worker would do. */
export interface DrainForecast {
  /** Cameras that run on the worker. */
  readonly cameras: number;
  /** Cameras that would have no worker after {@link DRAIN_DEADLINE}, on this one or another one that is more important. */
  readonly withoutRoom: number;
}

/** Plans as after the deadline of the drain, when nothing waits for room. Yields where it may be interrupted. */
export function* drainForecast(input: ReconcileInput, url: string): Generator<void, DrainForecast> {
  const { planInput } = yield* beforePlan(input);
  yield;
  const { rebalance: _, workers, placements, ...rest } = planInput;
  const drained = workers.map((worker) => (worker.url === url ? { ...worker, drainSince: 0 } : worker));
  const { actions } = yield* planSteps({ ...rest, placements, workers: drained });
  const lost = actions.filter(
    (action) => action.type === 'evict' && (action.from === url || action.reason === 'preempted'),
  );
  let cameras = 0;
  yield* inChunks(placements.values(), (from) => (cameras += from === url ? 1 : 0));
  return { cameras, withoutRoom: lost.length };
}

/** The plan that a pass with this input would make. Yields where it may be interrupted. */
export function* explainedPlanFor(input: ReconcileInput): Generator<void, ExplainedPlan> {
  const { planInput } = yield* beforePlan(input);
  yield;
  return yield* ExplainedPlan.of(planInput);
}

function* beforePlan(input: ReconcileInput) {
  const { wallNow } = input;
  const workers = new Map(input.workers.map((worker) => [worker.url, worker]));
  const settled = yield* settleMoves({ ...input, workers });
  const penalties = yield* livePenalties(input.penalties, input.desired, wallNow);
  const failed = settled.ended.flatMap(({ move, outcome }) => (outcome === 'failed' ? [move] : []));
  for (const { unitId, to } of failed) penalise(penalties, unitId, to, wallNow);
  const failedUnits = failed.map(({ unitId }) => unitId);
  const plannerState =
    input.plannerState && (yield* afterFailedMoves(input.plannerState, failedUnits, wallNow));
  const planInput = yield* planInputOf({
    ...input,
    tracked: settled.tracked,
    moves: settled.moves,
    penalties,
    plannerState,
  });
  return { planInput, penalties, settled };
}

function* redactedUnits(desired: ReadonlyMap<string, DesiredEntry>): Generator<void, Set<string>> {
  const units = new Set<string>();
  yield* inChunks(desired.values(), ({ cameraId, redacted }) => {
    if (redacted === true) units.add(cameraId);
  });
  return units;
}

/** The units with a confirmed subscription. Yields where it may be interrupted. */
function* confirmedAmong(
  units: ReadonlyMap<string, unknown>,
  desired: ReadonlyMap<string, DesiredEntry>,
  tracked: ReadonlyMap<string, TrackedSubscription>,
): Generator<void, Set<string>> {
  const confirmed = new Set<string>();
  if (units.size === 0) return confirmed;
  yield* inChunks(desired, ([id, { cameraId }]) => {
    if (units.has(cameraId) && tracked.get(id)?.confirmed === true) confirmed.add(cameraId);
  });
  return confirmed;
}

/** The most frequent reason among the workers; `no-worker` if there is no worker. */
function mainReason(reasons: Readonly<Partial<Record<string, number>>>): string {
  const [top] = Object.entries(reasons).sort(([a, x = 0], [b, y = 0]) => y - x || (a < b ? -1 : 1));
  return top?.[0] ?? 'no-worker';
}

interface SurplusInput extends ReconcileInput {
  /** Pairs of worker and unit that must stop now. */
  readonly stops: ReadonlySet<string>;
}

interface Surplus {
  readonly actions: readonly WorkerAction[];
  readonly unsubscribing: Map<string, number>;
}

/** Stops streams that workers run but should not, and repeats the command while they report them. */
function* unsubscribeSurplus(input: SurplusInput, wake: Earliest): Generator<void, Surplus> {
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

/** Collects instants and keeps the first. */
class Earliest {
  value: number | null = null;

  at(time: number | null): void {
    if (time !== null && (this.value === null || time < this.value)) this.value = time;
  }
}
