import type { FencedStore } from '@detector-cluster/election/fence';
import { getOrInsertComputed, NextRun } from '@detector-cluster/election/internal';
import type { Plan } from '@detector-cluster/placement';
import {
  isStillBalanced,
  type RestingPlan,
  pairKey,
  type WorkerObservation,
  toPlanWorker,
  reconcileSteps,
  type ReconcileInput,
  type ReconcileResult,
  type EndedMove,
  sentLater,
  withoutUnsent,
  PartialDecisions,
  reconcileSome,
  type PartialResult,
} from '@detector-cluster/placement/internal';
import type { ActualStateStore } from './actual-state-store.js';
import { Commit } from '../shared/commit.js';
import type { DesiredStateStore } from './desired-state-store.js';
import type { PlannerStateStore } from './planner-state-store.js';
import type { EventJournal } from '../operators/event-journal.js';
import type { RebalanceRecord } from '../operators/rebalance-record.js';
import type { MoveEnd, ReconcileFigures } from './reconcile-figures.js';
import type { RebalanceWindows } from '../options/rebalance-windows.js';
import type { FlapWatch } from '../workers/flap-watch.js';
import { NetworkFreeze } from '../workers/network-freeze.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { ClusterLogger } from '../operators/worker-logger.js';
import type { ModelRollouts } from './model-rollouts.js';
import type { CommandSender } from './command-sender.js';
import { runInSlices } from '../shared/run-in-slices.js';
import { TimeSlices } from '../shared/time-slices.js';
import { PassAgenda, type Agenda } from './pass-agenda.js';
import { Previews } from './previews.js';
import { groupBy, ReconcileLog } from './reconcile-log.js';

export interface ReconcilerOptions {
  readonly store: FencedStore;
  readonly pool: WorkerPool;
  readonly flaps: FlapWatch;
  readonly windows: RebalanceWindows;
  readonly desired: DesiredStateStore;
  readonly actual: ActualStateStore;
  readonly planner: PlannerStateStore;
  readonly rebalances: RebalanceRecord;
  readonly rollouts: Pick<ModelRollouts, 'list' | 'modelFailed'>;
  readonly commands: CommandSender;
  readonly figures: ReconcileFigures;
  readonly journal: EventJournal;
  readonly logger: ClusterLogger;
  /** How long a new master waits for first reports. Milliseconds. */
  readonly adoptionTimeout: number;
  /** How often the load is looked at when nothing else changes. Milliseconds. */
  readonly checkInterval: number;
  /** There is something for {@link Reconciler.pass} to look at. See {@link TermLoop.changed}. */
  readonly onWork: (isGathered?: boolean) => void;
}

/** Drives the workers towards the desired state: decides, writes down, sends; one pass after the other. */
export class Reconciler {
  private readonly freeze = new NetworkFreeze();
  private readonly passes = new NextRun<Plan>();
  /** What a pass would do now. */
  readonly previews: Previews;
  private readonly agenda: PassAgenda;
  private readonly log: ReconcileLog;
  /** Cameras whose subscriptions the next pass sends again → these, as soon as it has begun. */
  private readonly renewals = new Map<string, string[]>();
  private unsubscribing: ReadonlyMap<string, number> = new Map();
  /** Left by the last pass over everything, if only a change of the load can make the next one act. */
  private resting: RestingPlan | null = null;
  private settled = false;
  /** Whether it has decided about everything once with all workers. */
  private adopted = false;
  private frozen = false;
  private announcedFreeze = false;
  /** A rebalance that the next pass begins, and who has requested it. */
  private rebalance: { readonly by: string | null } | null = null;

  constructor(private readonly options: ReconcilerOptions) {
    this.agenda = new PassAgenda(options.checkInterval);
    this.log = new ReconcileLog(options.logger);
    const { actual, desired, planner, pool, rollouts, store } = options;
    this.previews = new Previews({
      term: store.term,
      desired,
      actual,
      planner,
      input: () => this.input(),
      frozen: () => this.frozen,
      models: () => rollouts.list(),
      nameOf: (url) => pool.nameOf(url),
    });
  }

  /** Everything may have changed. */
  everythingChanged(): void {
    this.agenda.addAll();
    this.options.onWork();
  }

  /** A read of the desired state has brought these changes. Null: subscriptions have come or gone. */
  desiredChanged(ids: readonly string[] | null): void {
    if (ids === null) this.agenda.addAll();
    else this.agenda.addSubscriptions(ids);
    // The read was made for all writes of a while.
    this.options.onWork(true);
  }

  streamsChanged(workerUrl: string, ids: readonly string[]): void {
    this.agenda.addStreams(workerUrl, ids);
    this.options.onWork();
  }

  /**
   * One pass. Resolves with the instant of the next one, monotonic milliseconds, or null. Nothing is sent, and nothing
   * remembered, unless it could be written down; then it rejects, with `FencedError` if another master has taken over.
   * @param afterSend called with what was observed once all commands are sent
   */
  async pass(afterSend: (workers: readonly WorkerObservation[]) => void): Promise<number | null> {
    const now = performance.now();
    this.renew();
    if (!this.settled && this.options.pool.settled(this.options.adoptionTimeout, now)) {
      this.settled = true;
      this.agenda.endRest();
    }
    let workers = this.options.pool.observations();
    if (this.agenda.isCheckDue(now)) this.check(workers, now);
    const agenda = this.agenda.take(now);
    try {
      // A changed row does not wait for a pass over everything that begins with it.
      const isSome = !agenda.whole || (this.adopted && agenda.subscriptions.size > 0);
      const done = isSome ? await this.carryOutSome(agenda, workers, now) : null;
      if (agenda.whole || (done === null && this.agenda.mayTakeAll(now))) {
        // The flag of a change during the small pass is gone.
        if (isSome) workers = this.options.pool.observations();
        await this.passes.serve(() => this.carryOut(workers, now));
      }
    } catch (error) {
      // What has changed is no longer known.
      this.agenda.addAll();
      throw error;
    }
    afterSend(workers);
    const { wakeAt } = this.agenda;
    return wakeAt === Number.POSITIVE_INFINITY ? null : wakeAt;
  }

  /** Has the next pass look at everything if the load is no longer balanced. */
  private check(workers: readonly WorkerObservation[], now: number): void {
    const planWorkers = workers.map((worker) => toPlanWorker(worker));
    if (this.resting !== null && isStillBalanced(this.resting, planWorkers)) this.agenda.checked(now);
    else this.agenda.addAll();
  }

  /** Has the next pass rebalance. @param by who has requested it */
  async rebalanced(by: string | null): Promise<void> {
    this.rebalance = { by };
    await this.planned();
  }

  /** Has the next pass send every subscription of a camera again. Resolves with their number. */
  async renewed(cameraId: string): Promise<number> {
    const renewed = getOrInsertComputed(this.renewals, cameraId, () => []);
    // A pass that has begun before has not looked.
    do await this.planned();
    while (this.renewals.get(cameraId) === renewed);
    return renewed.length;
  }

  /** Resolves with the plan of the next pass. */
  async planned(): Promise<Plan> {
    const next = this.passes.next();
    this.everythingChanged();
    const planned = await next;
    this.previews.forget();
    return planned;
  }

  /** Whether a worker may send detections of a subscription which it does not hold: it is about to take it over, or just gave it up. */
  isMoving(subscriptionIdentifier: string, worker: string): boolean {
    const entry = this.options.desired.entries.get(subscriptionIdentifier);
    if (entry === undefined) return false;
    if (this.options.planner.moves.get(entry.cameraId)?.to === worker) return true;
    return this.unsubscribing.has(`${worker} ${subscriptionIdentifier}`);
  }

  /** Rejects all callers that wait for a pass. */
  stop(error: Error): void {
    this.passes.rejectAll(error);
  }

  /** Here and not when it is asked for: a pass that has begun replaces what is remembered. */
  private renew(): void {
    if (this.renewals.size === 0) return;
    for (const { cameraId, redacted, spec } of this.options.desired.entries.values())
      // Without its credentials it may not be sent.
      if (redacted !== true) this.renewals.get(cameraId)?.push(spec.subscriptionIdentifier);
    for (const ids of this.renewals.values()) this.options.actual.renew(ids);
    this.renewals.clear();
  }

  private input(workers = this.options.pool.observations(), now = performance.now()): ReconcileInput {
    const { desired, actual, planner } = this.options;
    return {
      now,
      wallNow: Date.now(),
      desired: desired.entries,
      workers,
      tracked: actual.tracked,
      moves: planner.moves,
      penalties: planner.memory.penalties,
      plannerState: planner.memory.state,
      unsubscribing: this.unsubscribing,
      settling: !this.settled,
      mayUnsubscribe: desired.certain,
      frozen: this.frozen,
      rebalance: false,
      opensAt: this.options.windows.opensAt(Date.now()),
    };
  }

  /** Decides about some subscriptions only. Resolves with null, and has done nothing, where a whole pass has to. */
  private async carryOutSome(
    { streams, subscriptions }: Agenda,
    workers: readonly WorkerObservation[],
    now: number,
  ): Promise<PartialResult | null> {
    const { actual, commands, figures } = this.options;
    const slices = new TimeSlices(true);
    const input = this.input([...workers], now);
    const decided = await runInSlices(reconcileSome(input, subscriptions, streams), slices);
    if (decided === null) return null;
    const { ready, failed } = await commands.prepare(decided.actions, input.desired);
    if (failed.length > 0) return null;
    figures.planned(slices.spent);
    const result = await runInSlices(sentLater(decided, now, performance.now()), slices);
    await actual.commitSome(result.tracked);
    this.agenda.tookSome(result.tracked.keys(), result.due);
    await commands.send(ready);
    commands.askSoon(result.actions);
    figures.passes++;
    return result;
  }

  /** Carries out small changes while a pass over everything is being decided, and adds what it has decided to `done`. */
  private async carryOutBetween(done: PartialDecisions): Promise<void> {
    await this.options.desired.giveWay();
    const agenda = this.agenda.takeBetween();
    if (agenda === null) return;
    const some = await this.carryOutSome(agenda, this.options.pool.observations(), performance.now());
    if (some === null) this.agenda.addAll();
    else done.add(some);
  }

  private async carryOut(workers: readonly WorkerObservation[], now: number): Promise<Plan> {
    const { actual, planner, commands, figures, flaps, rebalances, store } = this.options;
    this.watchNetwork(now);
    const { rebalance } = this;
    this.rebalance = null;
    const input = { ...this.input([...workers], now), rebalance: rebalance !== null };
    const slices = new TimeSlices(!this.adopted);
    const between = new PartialDecisions();
    const carryOutBetween = () => this.carryOutBetween(between);
    const whole = await runInSlices(reconcileSteps(input), slices, carryOutBetween);
    figures.planned(slices.spent);
    const differences = await runInSlices(actual.differences(whole.tracked), slices, carryOutBetween);
    const decided = between.keptIn(whole);
    // Where the plan wants something else for them, the next pass decides with both.
    this.agenda.addSubscriptions(between.subscriptions);
    const { ready, failed } = await commands.prepare(decided.actions, input.desired);
    const sendable = failed.length === 0 ? decided : withoutUnsent(decided, input, failed);
    const result = await runInSlices(sentLater(sendable, now, performance.now()));

    for (const id of between.subscriptions) differences.add(id);
    for (const { subscriptionIdentifier } of failed) differences.add(subscriptionIdentifier);

    const commit = new Commit(store);
    let removed: string[];
    try {
      await planner.addTo(commit, result.moves, {
        state: result.plannerState,
        penalties: result.penalties,
        flaps: flaps.memory(input.wallNow),
      });
      removed = await actual.addTo(commit, result.tracked, differences);
      await commit.write();
    } catch (error) {
      this.rebalance ??= rebalance;
      throw error;
    }
    this.adopted = this.settled;
    this.unsubscribing = result.unsubscribing;
    await commands.send(ready);
    commands.askSoon(result.actions);
    this.note(result, removed);
    if (rebalance !== null) rebalances.begin(rebalance.by);
    await rebalances.look({
      ...result,
      ended: rebalance === null ? result.ended : [],
      paused: input.settling || input.frozen,
    });
    const freezeEnd = this.freeze.endsAt(now);
    const news = this.freeze.certainAt(now);
    this.log.look(input, result, {
      quarantineOf: (url) => flaps.until(url),
      freeze: freezeEnd === null ? null : input.wallNow + (freezeEnd - now),
    });
    this.options.pool.showStuck(this.log.stuckDrains);
    const times = [
      result.wakeAt,
      failed.length > 0 ? now + UNSENT_RETRY : null,
      this.settled ? null : now + SETTLING_LOOK,
      freezeEnd,
      news !== null && news > now ? news : null,
    ].filter((time) => time !== null);
    this.resting = result.resting;
    this.agenda.tookAll(result.due, Math.min(...times), {
      began: now,
      ended: performance.now(),
      settling: !this.settled,
      atRest: result.resting !== null,
    });
    return result.plan;
  }

  private watchNetwork(now: number): void {
    const { pool, logger, journal } = this.options;
    const frozen = this.freeze.update(pool.freezeFacts(now), now);
    // While it settles nothing is moved anyway, and it would only look as if the network had failed.
    this.frozen = frozen && this.settled;
    const announced = this.frozen && (this.announcedFreeze || now >= this.freeze.certainAt(now)!);
    if (announced === this.announcedFreeze) return;
    this.announcedFreeze = announced;
    if (announced)
      logger.warn('most workers vanished at once: nothing is moved for up to 60 s, it may be the network');
    else logger.log('workers are moved from again');
    journal.add({ type: announced ? 'cluster-frozen' : 'cluster-thawed' });
  }

  private note({ begun, ended, penalties, refusals }: ReconcileResult, removed: readonly string[]): void {
    const { desired, figures, logger, journal } = this.options;
    for (const subscriptionIdentifier of removed) {
      logger.debug(`subscription ${subscriptionIdentifier} is no longer desired`);
      const skipped = desired.skipReasonOf(subscriptionIdentifier);
      journal.add({ type: 'subscription-removed', subscriptionIdentifier, skipped });
    }
    figures.passes++;
    for (const { unitId, from, to, reason } of begun) {
      figures.movesBegun[reason]++;
      logger.debug(`camera ${unitId} begins to move from ${from} to ${to}: ${reason}`);
    }
    const failed = refusals.filter(({ problem }) => problem !== undefined);
    this.options.rollouts.modelFailed(failed.map(({ unitId }) => unitId));
    const failures = groupBy(failed, ({ workerUrl }) => workerUrl);
    for (const [url, [first, ...others]] of failures)
      journal.add({
        type: 'model-failed',
        url,
        cameraId: first!.unitId,
        cameras: 1 + others.length,
        problem: first!.problem!,
      });
    for (const { move, outcome } of ended) {
      const { unitId: cameraId, from, to, reason } = move;
      figures.movesEnded[ENDS[outcome]]++;
      if (ENDS[outcome] === 'finished') journal.add({ type: 'camera-moved', cameraId, from, to, reason });
      if (outcome === 'failed') journal.add({ type: 'camera-move-failed', cameraId, from, to });
      if (outcome === 'failed') {
        const { until } = penalties.get(pairKey(to, cameraId))!;
        logger.warn(
          `camera ${cameraId} stays at ${from}: ${to} did not show it within 15 s, and does not get it again before ${new Date(until).toISOString()}`,
        );
      } else logger.debug(`camera ${cameraId}: its move from ${from} to ${to} is ${outcome}`);
    }
  }
}

/** How soon a subscription without a model URL is tried again. Milliseconds. */
const UNSENT_RETRY = 1_000;

/** How often a new master looks whether it has heard all workers. Milliseconds. */
const SETTLING_LOOK = 100;

const ENDS: Readonly<Record<EndedMove['outcome'], MoveEnd>> = {
  finished: 'finished',
  'taken-over': 'finished',
  failed: 'failed',
  aborted: 'aborted',
  'not-desired': 'aborted',
};
