import { systemClock, type Lease } from '@detector-cluster/election';
import type { RouterCounters, RouterStats } from '@detector-cluster/delivery';
import type { Requester } from '../sources/stored-subscription.js';
import type { TracerSlot } from '@detector-cluster/delivery/internal';
import { FencedStore, FencedError } from '@detector-cluster/election/fence';
import type { ResolvedDetectorClusterOptions } from '../options/resolve-options.js';
import { clusterKeyTypes } from '../shared/key-types.js';
import type { NoticedOutage } from '../operators/outage-records.js';
import type { SessionPatches } from '../operators/session-patches.js';
import type { DetectorClusterEvents, WorkerEventName } from '../operators/cluster-events.js';
import type { ClusterMembers } from './cluster-members.js';
import type { ClusterTimers } from '../shared/cluster-timers.js';
import type { ClusterLogger } from '../operators/worker-logger.js';
import type { ReconcileFigures } from './reconcile-figures.js';
import { KeyGuard } from '@detector-cluster/election/internal/redis';
import { retryUntilDone, settlesWithin } from '@detector-cluster/election/internal';
import { fullJitter } from '../shared/intervals.js';
import type { MasterControls, MasterMethods } from '../operators/master-methods.js';
import { planReport } from '../operators/plan-report.js';
import { MasterRequestError, TermOverError } from '../shared/master-errors.js';
import type { ChangedRows } from '../sources/changed-rows.js';
import type { SubscriptionsByStatus, WorkerConnectionState } from '../shared/cluster-state.js';
import type { ClusterConnections } from './cluster-connections.js';
import type { ClusterStores } from './cluster-stores.js';
import { composeTerm, type TermParts } from './compose-term.js';
import { firstReports } from './first-reports.js';

/** What a term needs of the process that it belongs to. */
export interface TermNode {
  readonly id: string;
  readonly timers: ClusterTimers;
  /** Answers the session patches of workers. */
  readonly patches: SessionPatches;
  readonly figures: ReconcileFigures;
  /** Counts detections over all terms of the process. */
  readonly sent: RouterCounters;
  readonly tracing: TracerSlot;
  readonly logger: ClusterLogger;
  /** For the sockets to workers, and the messages on them. */
  readonly connectionLogger: ClusterLogger;
  readonly emit: <K extends WorkerEventName>(event: K, ...args: DetectorClusterEvents[K]) => void;
  /** The processes that are registered. */
  readonly processes: () => Promise<readonly Requester[]>;
  /** The processes that take detections, in the order of their ids. */
  readonly members: () => Promise<ClusterMembers>;
  /** Gives up the leadership of this process. Resolves when the election has recorded it. */
  readonly resign: () => Promise<void>;
  /** Rejects if this process is not registered, or may not be, because it understands less than the cluster writes. */
  readonly confirmRegistration: () => Promise<void>;
}

export interface MasterTermOptions {
  readonly lease: Lease;
  readonly connections: ClusterConnections;
  readonly stores: ClusterStores;
  /** What the application has configured. */
  readonly application: ResolvedDetectorClusterOptions;
  readonly node: TermNode;
}

type Params<Name extends keyof MasterMethods> = MasterMethods[Name]['params'];

/** How long a new master hears its workers before it loads what is desired: callers wait 5 s for its answer. Milliseconds. */
const LOAD_LATEST = 2_000;

/** For how long a master that hands over still answers requests of workers. Milliseconds. */
const HAND_OVER = 2_000;

/**
 * One term of this process as master. It holds all knowledge of a master; the next term begins from Redis, the database and the
 * workers' reports. When the term is over it retires: workers keep their streams while a connection is open, so it keeps its sockets
 * until they are replaced.
 */
export class MasterTerm implements MasterControls {
  private readonly store: FencedStore;
  private readonly parts: TermParts;
  /** Whether it knows what its predecessor wanted of the workers. */
  isLoaded = false;
  private phase: 'leading' | 'retired' | 'closed' = 'leading';
  /** Until it falls silent. */
  private answering: NodeJS.Timeout | undefined;

  constructor(private readonly options: MasterTermOptions) {
    const { connections, lease, node } = options;
    const { keys, redis } = connections;
    this.store = new FencedStore(redis, keys.fence, lease.term, {
      onRefused: (error) => this.onDeposed(error),
      onForeign: (message) => node.logger.error(message),
      mayRepair: () => this.mayAct(),
      masterKey: keys.master,
    });
    this.parts = composeTerm(options, {
      store: this.store,
      mayAct: () => this.mayAct(),
      resign: (reason) => this.giveUp(reason),
    });
  }

  /** Raises the fence, connects to the workers, loads what the predecessor wanted of them, then starts reconciling. */
  async start(): Promise<void> {
    const { node } = this.options;
    const { heartbeat, journal, outages, patches, pool, router } = this.parts;
    if (!(await this.retry(() => this.takeOver()))) return;
    await router.start();
    if (this.isOver()) return;
    journal.add({ type: 'master-acquired', processId: node.id });
    outages.start();
    heartbeat.start();
    pool.start();
    patches.start();
    void this.begin();
  }

  /** Raises the fence, and reads what is needed before detections of workers arrive. */
  private async takeOver(): Promise<void> {
    const { keys, redis } = this.options.connections;
    const { logger } = this.options.node;
    const { actual, flaps, heartbeat, planner, pool, publisher, rebalances, sessions, workerList, rollouts } =
      this.parts;
    const guard = new KeyGuard(redis, false, (message) => logger.error(message));
    await this.options.node.confirmRegistration();
    // Raises the fence.
    await heartbeat.write();
    await guard.look(clusterKeyTypes(keys));
    const [{ online, drains }] = await Promise.all([
      publisher.load(redis),
      actual.load(this.options.stores.actual),
      sessions.load(),
      planner.load(redis),
      rebalances.load(redis),
      rollouts.load(redis),
      workerList.readDirectives(),
      workerList.readList(),
    ]);
    pool.expect(online);
    pool.resumeDrains(drains);
    flaps.restore(planner.memory.flaps);
  }

  /** Begins to read, to decide and to send. */
  private async begin(): Promise<void> {
    const { application, connections, lease } = this.options;
    const { desired, loop, pool, regenerator } = this.parts;
    const reports = firstReports(pool, application.timings.adoptionTimeout, lease.signal);
    // With very many subscriptions, loading them would hold up the reports.
    await settlesWithin(reports, LOAD_LATEST);
    if (!(await this.retry(() => desired.load(connections.redis)))) return;
    this.isLoaded = true;
    await reports;
    if (this.isOver()) return;
    regenerator.start();
    loop.start();
  }

  /** Repeats it while Redis is unavailable. Resolves with whether the term continues. */
  private async retry(attempt: () => Promise<void>): Promise<boolean> {
    const { lease, node } = this.options;
    try {
      await retryUntilDone(attempt, {
        clock: systemClock,
        signal: lease.signal,
        delay: (failures) => fullJitter(failures - 1, { base: 100, cap: 2_000 }),
        onError: ({ message }) =>
          node.logger.warn(`term ${lease.term}: cannot read the cluster's state yet: ${message}`),
      });
    } catch {
      return false;
    }
    return !this.isOver();
  }

  /** The desired state may have changed. @param rows all rows that have changed; left out: any */
  regenerateSoon(reason: string, rows?: ChangedRows): void {
    this.parts.regenerator.soon(reason, rows);
  }

  /** Redis was unavailable, and may have lost earlier writes. */
  redisReturned(): void {
    if (!this.isOver()) this.parts.regenerator.redisReturned();
  }

  recordOutage(outage: NoticedOutage): true {
    if (!this.isOver()) this.parts.outages.redis(outage);
    return true;
  }

  /** The session of a display may have changed. */
  sessionChanged(displayId: string): void {
    this.parts.sessions.changed(displayId);
  }

  async regenerate(): Promise<true> {
    await this.parts.regenerator.read('regenerate', 'requested');
    await this.parts.reconciler.planned();
    return true;
  }

  async rebalance({ by }: Params<'rebalance'>): Promise<true> {
    await this.parts.regenerator.read('rebalanceWorkers', 'rebalance');
    await this.parts.reconciler.rebalanced(by ?? null);
    return true;
  }

  resubscribe({ cameraIdentifier }: Params<'resubscribe'>) {
    return this.parts.reconciler.renewed(cameraIdentifier);
  }

  async preview({ rebalance }: Params<'preview'>) {
    return planReport(await this.parts.reconciler.previews.plan(rebalance));
  }

  previewDrain({ url }: Params<'previewDrain'>) {
    return this.parts.reconciler.previews.drain(url);
  }

  previewChange(change: Params<'previewChange'>) {
    return this.parts.reconciler.previews.change(change);
  }

  async explain({ subscriptionIdentifier }: Params<'explain'>) {
    const { desired, reconciler, rollouts } = this.parts;
    const isKnown = () => desired.entries.has(subscriptionIdentifier);
    // A new master cannot say yet that something is not desired.
    if (!desired.certain && !isKnown()) await this.firstRead(isKnown);
    const explanation = await reconciler.previews.explain(subscriptionIdentifier);
    const entry = desired.entries.get(subscriptionIdentifier);
    return explanation && entry ? { ...explanation, model: rollouts.explain(entry) } : explanation;
  }

  /** Every worker as this master knows it. */
  get workerStates(): readonly WorkerConnectionState[] {
    return [...this.parts.pool.states(this.options.node.id)];
  }

  get subscriptionsByStatus(): SubscriptionsByStatus {
    const counts = { active: 0, pending: 0, recovering: 0, failed: 0 };
    for (const { status } of this.parts.actual.tracked.values()) counts[status]++;
    return counts;
  }

  setModelVersion({ modelId, version }: Params<'setModelVersion'>) {
    return this.parts.rollouts.switchTo(modelId, version);
  }

  async directivesChanged(): Promise<true> {
    await this.parts.workerList.readDirectives();
    await this.parts.reconciler.planned();
    return true;
  }

  record(action: Params<'record'>): true {
    this.parts.journal.add({ type: 'operator-action', ...action });
    return true;
  }

  resign({ term }: Params<'resign'>, requestId: string) {
    return this.parts.resigner.resign(term, requestId);
  }

  /** A backend process has joined or, if it is `lost`, ended. */
  async membersChanged(processId: string, lost: boolean): Promise<void> {
    if (this.isOver()) return;
    if (this.parts.requests.isRequester(processId))
      this.regenerateSoon(lost ? 'requester.ended' : 'requester.joined');
    try {
      const { absent, ids, workloads } = await this.options.node.members();
      // The registry may still name a process whose end the election has seen.
      const members = lost ? ids.filter((id) => id !== processId) : ids;
      this.parts.router.setMembers(members, workloads, absent);
    } catch (error) {
      this.options.node.logger.warn(`cannot read the process registry: ${(error as Error).message}`);
    }
  }

  /** The term as a number; see {@link Lease.term}. */
  get number(): number {
    return this.options.lease.term;
  }

  /** Open sockets to workers. */
  get connections(): number {
    return this.parts.pool.open;
  }

  /** What it has written to each log. */
  routerStats(): RouterStats {
    return this.parts.router.stats();
  }

  /** Detections that wait for Redis. */
  get buffered(): number {
    return this.parts.router.buffered;
  }

  /**
   * Leadership is over. Commands and decisions stop at once. Sockets whose workers have read everything stay open, and their detections
   * are appended for as long as Redis accepts them from this term. Idempotent.
   * @param graceful whether leadership was given up: for 2 s, requests of workers are still answered
   */
  retire(graceful: boolean): void {
    if (this.isOver()) return;
    this.phase = 'retired';
    const { heartbeat, loop, patches, pool, publisher, reconciler, regenerator, router, workerList } =
      this.parts;
    const over = new TermOverError(this.number);
    heartbeat.stop();
    patches.stop();
    workerList.close();
    loop.stop();
    publisher.stop();
    reconciler.stop(over);
    void regenerator.stop(over);
    pool.release();
    router.handOver();
    if (graceful) this.answering = setTimeout(() => void this.fallSilent(), HAND_OVER);
    else void this.fallSilent();
  }

  /** The worker has a connection to the next master, which is this process, and some workers do not close the former one. */
  replaced(worker: string): void {
    this.parts.pool.drop(worker);
  }

  /** Drops the sockets of a retired term, and what it has buffered. Idempotent. */
  async close(): Promise<void> {
    if (this.phase === 'closed') return;
    this.phase = 'closed';
    const { detectionFilter, pool, regenerator, router } = this.parts;
    pool.terminate();
    detectionFilter.close();
    router.close();
    await Promise.all([regenerator.stop(), this.fallSilent()]);
  }

  private async fallSilent(): Promise<void> {
    clearTimeout(this.answering);
    const { journal, patches, pool } = this.parts;
    pool.fallSilent();
    journal.close();
    await patches.noted();
  }

  /** Gives up the leadership of this process, and logs the reason. */
  private giveUp(reason: string): Promise<void> {
    const { node } = this.options;
    node.logger.log(`term ${this.number} ends: ${reason}`);
    return node.resign();
  }

  private isOver(): boolean {
    return this.phase !== 'leading';
  }

  private mayAct(): boolean {
    return this.phase === 'leading' && this.options.lease.isValid();
  }

  /**
   * Rejects if the desired state could not be read. A request for an explicit subscription passes, because it does not need the
   * database.
   */
  private async firstRead(isKnown: () => boolean): Promise<void> {
    try {
      await this.parts.regenerator.read('explain', 'explain');
    } catch (error) {
      if (!(error instanceof MasterRequestError) || !isKnown()) throw error;
    }
  }

  /**
   * A later term has written, so this term is over even if the lease is valid. While the lease is valid there is no successor, and
   * something else has raised the fence. Leadership is then given up, because only a master with a term above the fence can write.
   */
  private onDeposed(error: FencedError): void {
    if (this.isOver()) return;
    const { lease, node } = this.options;
    const { fence } = this.options.connections.keys;
    node.logger.warn(error.message);
    this.retire(false);
    if (lease.isValid())
      void this.giveUp(
        `${fence} is ${error.fence}, above its term, although no other process leads. If no process has led in that term, repair it by SET ${fence} ${lease.term}`,
      );
  }
}
