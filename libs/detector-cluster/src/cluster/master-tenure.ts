import { setTimeout as sleep } from 'node:timers/promises';
import { FencedError } from '@detector-cluster/election/fence';
import { MasterRequestError } from '../control/master-request.error.js';
import type { MasterControls, PlanPreview } from '../control/master-controls.js';
import { Resigner } from '../control/resignation/resigner.js';
import type { Resignation } from '../control/resignation/resignation.js';
import { TenureOverError } from '../control/tenure-over.error.js';
import type { SubscriptionExplanation } from '../planner/contract/explanation.js';
import type { ChangedRows } from '../desired/changed-rows.js';
import type { DetectionRouter } from '../delivery/send/detection-router.js';
import { FencedStore } from '../fence/fenced-store.js';
import { PatchDesk } from '../sessions/patch-desk.js';
import { SessionSender } from '../sessions/session-sender.js';
import { ActualStateKeeper } from '../state/actual-state-keeper.js';
import { DrainWatch } from '../workers/drain-watch.js';
import { FlapWatch } from '../workers/flap-watch.js';
import { WorkerPool, type ReportedState } from '../workers/worker-pool.js';
import { announceWorkers } from './announce-workers.js';
import { CommandSender } from './command-sender.js';
import { DetectionIntake } from './detection-intake.js';
import { Reconciler } from './reconciler.js';
import { ConnectionPublisher } from '../state/connection-publisher.js';
import { DesiredStateKeeper } from '../state/desired-state-keeper.js';
import { MasterHeartbeat } from '../state/master-heartbeat.js';
import { EventJournal } from '../state/events/event-journal.js';
import { PlannerMemoryKeeper } from '../state/planner/planner-memory-keeper.js';
import type { MasterTenureOptions } from './master-tenure-options.js';
import { Regenerator } from './regenerator.js';
import { retryUntil } from './retry.js';
import { SerialLoop } from './serial-loop.js';
import { WorkerRoster } from './worker-roster.js';
import type { OperatorAction } from '../model/cluster-event.js';
import { PendingModelUrls } from '../desired/stream/pending-model-urls.js';

/** How long a master that hands over goes on reading what workers still send it. Milliseconds. */
const HAND_OVER_READ = 2_000;

/**
 * One tenure of this process as master, from the acquisition of the lease to its end. Everything a master knows lives
 * here and dies with it: the next tenure begins from Redis, the database and the workers' reports.
 */
export class MasterTenure implements MasterControls {
  private readonly store: FencedStore;
  private readonly desired: DesiredStateKeeper;
  private readonly actual: ActualStateKeeper;
  private readonly pool: WorkerPool;
  private readonly sessions: SessionSender;
  private readonly connections: ConnectionPublisher;
  private readonly loop: SerialLoop;
  private readonly router: DetectionRouter;
  private readonly journal: EventJournal;
  private readonly planner: PlannerMemoryKeeper;
  private readonly flaps: FlapWatch;
  private readonly reconciler: Reconciler;
  private phase: 'leading' | 'releasing' | 'ended' = 'leading';
  private readonly drains: DrainWatch;
  private readonly roster: WorkerRoster;
  private readonly regenerator: Regenerator;
  private readonly intake: DetectionIntake;
  private readonly patches: PatchDesk;
  private readonly resigner: Resigner;
  private readonly heartbeat: MasterHeartbeat;

  constructor(private readonly options: MasterTenureOptions) {
    const { lease, keys, redis, timings, source, explicit } = options;
    this.store = new FencedStore(redis, keys.fence, lease.term, (error) => this.onDeposed(error));
    this.heartbeat = new MasterHeartbeat({
      store: this.store,
      keys,
      processId: options.nodeId,
      mayAct: () => this.mayAct(),
    });
    this.desired = new DesiredStateKeeper(
      this.store,
      keys,
      source,
      explicit,
      () => this.router.readListeners(),
      options.secretBox,
      options.placement,
      options.networks,
    );
    this.actual = new ActualStateKeeper(this.store, keys, (worker, id) => this.pool.seenAt(worker, id));
    this.journal = new EventJournal(this.store, keys);
    this.planner = new PlannerMemoryKeeper(this.store, keys);
    this.flaps = new FlapWatch(() => this.pool.ids.length);
    this.drains = new DrainWatch((url) => {
      options.logger.log(`worker ${url} is drained`);
      this.journal.add({ type: 'worker-drained', url });
      options.emit('worker:drained', { url });
    });
    this.pool = new WorkerPool({
      flaps: this.flaps,
      workers: options.workers.current,
      nodeId: options.nodeId,
      term: lease.term,
      mayAct: () => this.mayAct(),
      limits: { silence: timings.workerSilence, eviction: timings.workerEviction },
    });
    this.connections = new ConnectionPublisher(this.store, keys, () => this.pool.states(options.nodeId));
    this.loop = new SerialLoop(() => this.pass());
    this.sessions = new SessionSender({
      store: options.sessions,
      send: (worker, command, onDropped) => this.pool.send(worker, command, { dropped: onDropped }),
      onChange: () => this.loop.trigger(),
      onError: (error) => options.logger.warn(`cannot read the sessions: ${error.message}`),
    });
    this.reconciler = new Reconciler({
      term: lease.term,
      pool: this.pool,
      flaps: this.flaps,
      desired: this.desired,
      actual: this.actual,
      planner: this.planner,
      commands: new CommandSender({
        pool: this.pool,
        actual: this.actual,
        sessions: this.sessions,
        modelUrls: new PendingModelUrls(options.modelUrls, options.calls, timings.callTimeout),
        logger: options.logger,
      }),
      figures: options.figures,
      journal: this.journal,
      logger: options.logger,
      adoptionPatience: timings.adoptionPatience,
      wholePassInterval: timings.resyncInterval,
    });
    this.router = options.createRouter(this.store, () => this.phase === 'releasing' || this.mayAct());
    this.roster = new WorkerRoster({
      pool: this.pool,
      list: options.workers,
      directives: options.directives,
      redis,
      journal: this.journal,
      logger: options.logger,
      onChange: (ids) => {
        this.connections.stateChanged();
        this.sessions.keep(ids);
        this.flaps.keep(ids);
      },
    });
    this.regenerator = new Regenerator({
      desired: this.desired,
      reconciler: this.reconciler,
      loop: this.loop,
      readMore: () =>
        Promise.all([this.sessions.load(), this.roster.readDirectives(), this.roster.readList()]),
      calls: options.calls,
      timings,
      figures: options.figures,
      logger: options.logger,
    });
    this.patches = new PatchDesk({
      redis,
      store: this.store,
      keys,
      patches: options.patches,
      isOpen: (worker) => this.pool.isOpen(worker),
      reply: (worker, answer) => this.pool.reply(worker, answer),
    });
    this.intake = new DetectionIntake({
      router: this.router,
      tracked: () => this.actual.tracked,
      isMoving: (id, worker) => this.reconciler.isMoving(id, worker),
      figures: options.figures,
      tracing: options.tracing,
      logger: options.connectionLogger,
    });
    this.resigner = new Resigner({
      store: this.store,
      redis,
      keys,
      processId: options.nodeId,
      mayAct: () => this.mayAct(),
      resign: () => options.resign('its master was asked to resign'),
    });
    announceWorkers(this.pool, { ...options, journal: this.journal });
    this.wirePool();
  }

  /** Raises the fence, reads what the predecessor left, then connects to the workers and starts reconciling. */
  async start(): Promise<void> {
    const { lease, redis, logger } = this.options;
    try {
      await retryUntil(
        lease.signal,
        async () => {
          await this.store.raise();
          const [online] = await Promise.all([
            this.connections.load(redis),
            this.desired.load(redis),
            this.actual.load(redis),
            this.sessions.load(),
            this.planner.load(redis),
            this.roster.readDirectives(),
            this.roster.readList(),
          ]);
          this.pool.expect(online);
          this.flaps.restore(this.planner.memory.flaps);
        },
        (error) => logger.warn(`term ${lease.term}: cannot read the cluster's state yet: ${error.message}`),
        (error) => error instanceof FencedError,
      );
    } catch {
      // The term is over.
      return;
    }
    if (this.phase !== 'leading') return;
    await this.router.start();
    if (this.isOver()) return;
    this.journal.add({ type: 'master-acquired', processId: this.options.nodeId });
    this.heartbeat.start();
    this.pool.start();
    this.patches.start();
    this.regenerator.start();
    this.loop.trigger();
  }

  /** The desired state may have changed. @param rows all rows that have changed; left out: any */
  regenerateSoon(reason: string, rows?: ChangedRows): void {
    this.regenerator.soon(reason, rows);
  }

  /** Redis was away, and may have lost what it took before. */
  redisReturned(): void {
    if (this.phase !== 'leading') return;
    for (const keeper of [this.desired, this.actual, this.planner, this.connections]) keeper.doubt();
    this.regenerator.soon('redis-returned');
    this.passAll();
  }

  /** The session of a display may have changed. */
  sessionChanged(displayId: string): void {
    this.sessions.changed(displayId);
  }

  async regenerate(): Promise<void> {
    await this.regenerator.read('regenerate', 'requested');
    await this.reconciler.planned(() => this.loop.trigger());
  }

  async rebalance(): Promise<PlanPreview> {
    await this.regenerator.read('rebalanceWorkers', 'rebalance');
    return await this.reconciler.rebalanced(() => this.loop.trigger());
  }

  preview({ rebalance }: { readonly rebalance: boolean }): PlanPreview {
    return this.reconciler.preview(rebalance);
  }

  async explain(subscriptionIdentifier: string): Promise<SubscriptionExplanation | null> {
    const { certain, entries } = this.desired;
    if (!certain && !entries.has(subscriptionIdentifier)) await this.firstRead(subscriptionIdentifier);
    return this.reconciler.explain(subscriptionIdentifier);
  }

  /** Every worker as this master knows it. */
  get workerStates(): readonly ReportedState[] {
    return this.pool.states(this.options.nodeId);
  }

  async directivesChanged(): Promise<void> {
    await this.roster.readDirectives();
    await this.reconciler.planned(() => this.loop.trigger());
  }

  record(action: OperatorAction): void {
    this.journal.add({ type: 'operator-action', ...action });
  }

  resign(term: number, requestId: string): Promise<Resignation> {
    return this.resigner.resign(term, requestId);
  }

  /** The set of backend processes has changed. */
  async membersChanged(lost?: string): Promise<void> {
    if (this.phase !== 'leading') return;
    try {
      const members = await this.options.members();
      // The registry may still name a process whose end the election has seen.
      this.router.setMembers(members.filter((member) => member !== lost));
    } catch (error) {
      this.options.logger.warn(`cannot read the process registry: ${(error as Error).message}`);
    }
  }

  /** Leadership was lost against our will: nothing may be sent or read any more. */
  async abort(): Promise<void> {
    if (this.phase === 'ended') return;
    this.phase = 'ended';
    this.pool.terminate();
    const over = new TenureOverError(this.options.lease.term);
    this.reconciler.stop(over);
    this.heartbeat.stop();
    this.intake.close();
    this.roster.close();
    this.loop.stop();
    this.connections.stop();
    this.journal.close();
    await Promise.all([this.regenerator.stop(over), this.router.close(), this.patches.stop()]);
  }

  /**
   * Leadership was given up: commands stop at once, but for up to 2 s what workers still send is read and forwarded, until
   * the successor has connected to all of them.
   */
  async handOver(): Promise<void> {
    if (this.phase !== 'leading') return;
    this.phase = 'releasing';
    this.heartbeat.stop();
    this.roster.close();
    this.loop.stop();
    void this.regenerator.stop();
    this.connections.stop();
    this.pool.release();
    this.router.handOver();
    const deadline = performance.now() + HAND_OVER_READ;
    while (this.isReleasing() && this.pool.anyOpen && performance.now() < deadline) await sleep(20);
    await this.router.drainFor(Math.max(0, deadline - performance.now()));
    await this.abort();
  }

  private isOver(): boolean {
    return this.phase !== 'leading';
  }

  private isReleasing(): boolean {
    return this.phase === 'releasing';
  }

  private mayAct(): boolean {
    return this.phase === 'leading' && this.options.lease.isValid();
  }

  private wirePool(): void {
    const { pool, sessions, connections } = this;
    pool.on('change', () => {
      this.passAll();
      connections.stateChanged();
    });
    pool.on('streams', (worker, ids) => {
      this.reconciler.streamsChanged(worker, ids);
      this.loop.trigger();
      connections.stateChanged();
    });
    pool.on('worker:connected', ({ url }) => {
      sessions.reset(url);
      void this.patches.connected();
    });
    pool.on('worker:disconnected', ({ url }) => sessions.reset(url));
    pool.on('patchSession', (worker, message) => void this.patches.take(worker, message));
    pool.on('worker:state_report', () => connections.figuresChanged());
    pool.on('dark', (ids, lastSeen) => this.actual.seen(ids, lastSeen));
    pool.on('detection', (...detection) => this.intake.take(...detection));
  }

  private passAll(): void {
    this.reconciler.everythingChanged();
    this.loop.trigger();
  }

  /** A new master cannot say yet that something is not desired; explicit subscriptions need no database. */
  private async firstRead(subscriptionIdentifier: string): Promise<void> {
    try {
      await this.regenerator.read('explain', 'explain');
    } catch (error) {
      if (!(error instanceof MasterRequestError) || !this.desired.entries.has(subscriptionIdentifier))
        throw error;
    }
  }

  /**
   * A later term has written: whatever the lease says, this tenure is over. While the lease is valid there is no successor, and something
   * else has raised the fence. Leadership is then given up, because only a master with a term above the fence can write.
   */
  private onDeposed(error: FencedError): void {
    if (this.phase === 'ended') return;
    const { keys, lease, logger, resign } = this.options;
    logger.warn(error.message);
    void this.abort();
    if (lease.isValid())
      void resign(`${keys.fence} is ${error.fence}, above its term, although no other process leads`);
  }

  /** One pass: decide, write down, send. Resolves with the instant of the next one. */
  private async pass(): Promise<number | null> {
    if (this.phase !== 'leading') return null;
    if (!this.mayAct()) return performance.now() + 100;
    try {
      return await this.reconciler.pass((workers) => {
        this.sessions.sync(workers);
        this.drains.look(workers);
        this.roster.letGo();
      });
    } catch (error) {
      if (error instanceof FencedError) return null;
      this.options.logger.warn(`reconciliation is put off: ${(error as Error).message}`);
      return performance.now() + 250;
    }
  }
}
