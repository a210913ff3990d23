import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from '@detector-cluster/election';
import { FencedError } from '@detector-cluster/election/fence';
import type { Redis } from 'ioredis';
import { freshModelUrl } from '../desired/stream/fresh-model-url.js';
import type { ModelUrlProvider } from '../desired/stream/model-url-provider.js';
import type { DesiredStateSource } from '../desired/desired-state-source.js';
import type { ExplicitSubscriptionStore } from '../desired/explicit/explicit-subscription-store.js';
import { RegenerationGate } from '../desired/gate/regeneration-gate.js';
import type { DetectionRouter } from '../delivery/router/detection-router.js';
import { FencedStore } from '../fence/fenced-store.js';
import type { DetectorClusterTimings } from '../options/detector-cluster-options.js';
import type { WorkerDefinition } from '../options/worker-definition.js';
import type { Penalty, WorkerAction } from '../reconcile/observation.js';
import { reconcile } from '../reconcile/reconcile.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';
import { SessionSender } from '../sessions/session-sender.js';
import type { SessionPatches } from '../sessions/session-patches.js';
import type { SessionStore } from '../sessions/session-store.js';
import { ActualStateKeeper } from '../state/actual-state-keeper.js';
import type { DetectorClusterEvents, WorkerEventName } from './cluster-events.js';
import type { ClusterLogger } from './cluster-logger.js';
import { ConnectionPublisher } from '../state/connection-publisher.js';
import { DesiredStateKeeper } from '../state/desired-state-keeper.js';
import type { ReconcileFigures } from '../state/reconcile-figures.js';
import { RegenerationNotes } from './regeneration-notes.js';
import { retryUntil } from './retry.js';
import { SerialLoop } from './serial-loop.js';
import { subscribeCommand } from './subscribe-command.js';
import { WorkerPool } from './worker-pool.js';

/** How long a master that hands over goes on reading what workers still send it. Milliseconds. */
const HAND_OVER_READ = 2_000;

/** How long a worker gets to carry out commands before it is asked for its state. Milliseconds. */
const ASK_AFTER = 250;

export interface MasterTenureOptions {
  readonly lease: Lease;
  readonly nodeId: string;
  readonly keys: ClusterKeys;
  readonly redis: Redis;
  readonly workers: readonly WorkerDefinition[];
  readonly source: DesiredStateSource | null;
  readonly explicit: ExplicitSubscriptionStore;
  readonly sessions: SessionStore;
  readonly patches: SessionPatches;
  readonly modelUrls: ModelUrlProvider;
  /** For the hashes of subscriptions, when a secret is configured. */
  readonly hashKey: Buffer | undefined;
  readonly timings: DetectorClusterTimings;
  /** The tenure starts, feeds and closes it. */
  readonly createRouter: (store: FencedStore, mayForward: () => boolean) => DetectionRouter;
  /** The processes that take detections, in the order of their ids. */
  readonly members: () => Promise<readonly string[]>;
  readonly emit: <K extends WorkerEventName>(event: K, ...args: DetectorClusterEvents[K]) => void;
  readonly logger: ClusterLogger;
  /** For sockets to workers and what comes over them. */
  readonly connectionLogger: ClusterLogger;
  readonly figures: ReconcileFigures;
}

/**
 * One tenure of this process as master, from the acquisition of the lease to its end. Everything a master knows lives
 * here and dies with it: the next tenure begins from Redis, the database and the workers' reports.
 */
export class MasterTenure {
  private readonly store: FencedStore;
  private readonly desired: DesiredStateKeeper;
  private readonly actual: ActualStateKeeper;
  private readonly pool: WorkerPool;
  private readonly sessions: SessionSender;
  private readonly connections: ConnectionPublisher;
  private readonly gate: RegenerationGate;
  private readonly loop: SerialLoop;
  private readonly router: DetectionRouter;
  private penalties: ReadonlyMap<string, Penalty> = new Map();
  private unsubscribing: ReadonlyMap<string, number> = new Map();
  private phase: 'leading' | 'releasing' | 'ended' = 'leading';
  private settled = false;
  private fullCommitAt = 0;
  private readonly notes: RegenerationNotes;
  /** Workers that sent detections of subscriptions which they do not hold. */
  private readonly foreign = new Set<string>();
  private foreignDetections = 0;

  constructor(private readonly options: MasterTenureOptions) {
    const { lease, keys, redis, timings, source, explicit } = options;
    this.store = new FencedStore(redis, keys.fence, lease.term);
    this.notes = new RegenerationNotes(options.logger);
    this.desired = new DesiredStateKeeper(this.store, keys, source, explicit, options.hashKey);
    this.actual = new ActualStateKeeper(this.store, keys);
    this.pool = new WorkerPool({
      workers: options.workers,
      nodeId: options.nodeId,
      term: lease.term,
      mayAct: () => this.mayAct(),
      limits: { silence: timings.workerSilence, eviction: timings.workerEviction },
    });
    this.connections = new ConnectionPublisher(this.store, keys, () => this.pool.states(options.nodeId));
    this.loop = new SerialLoop(() => this.pass());
    this.sessions = new SessionSender({
      store: options.sessions,
      send: (worker, command, onDropped) => this.pool.send(worker, command, onDropped),
      onChange: () => this.loop.trigger(),
      onError: (error) => options.logger.warn(`cannot read the sessions: ${error.message}`),
    });
    this.gate = new RegenerationGate({
      run: () => this.regenerate(),
      onError: (error, retryIn) => this.onRegenerationError(error as Error, retryIn),
      resyncInterval: timings.resyncInterval,
    });
    this.router = options.createRouter(this.store, () => this.phase === 'releasing' || this.mayAct());
    this.router.setWorkers(options.workers.map(({ id }) => id));
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
          await Promise.all([
            this.desired.load(redis),
            this.actual.load(redis),
            this.connections.load(redis),
            this.sessions.load(),
          ]);
          this.router.setMembers(await this.options.members());
        },
        (error) => logger.warn(`term ${lease.term}: cannot read the cluster's state yet: ${error.message}`),
        (error) => error instanceof FencedError,
      );
    } catch (error) {
      if (!lease.signal.aborted) this.onDeposed(error as Error);
      return;
    }
    if (this.phase !== 'leading') return;
    await this.router.start();
    if (this.isOver()) return;
    this.pool.start();
    this.gate.start();
    this.gate.trigger('master-acquired');
    this.loop.trigger();
  }

  /** The desired state may have changed. */
  regenerateSoon(reason: string): void {
    this.gate.trigger(reason);
  }

  /** The session of a display may have changed. */
  sessionChanged(displayId: string): void {
    this.sessions.changed(displayId);
  }

  /** Looks again at workers and subscriptions. */
  reconcileSoon(): void {
    this.loop.trigger();
  }

  /** The set of backend processes has changed. */
  async membersChanged(lost?: string): Promise<void> {
    if (this.phase !== 'leading') return;
    try {
      const members = await this.options.members();
      if (lost !== undefined) this.router.memberLost(lost);
      this.router.setMembers(members);
    } catch (error) {
      this.options.logger.warn(`cannot read the process registry: ${(error as Error).message}`);
    }
  }

  /** Leadership was lost against our will: nothing may be sent or read any more. */
  async abort(): Promise<void> {
    if (this.phase === 'ended') return;
    this.phase = 'ended';
    this.pool.terminate();
    if (this.foreignDetections > 0)
      this.options.logger.warn(
        `${this.foreignDetections} detections were dropped: their worker did not hold them`,
      );
    this.loop.stop();
    this.connections.stop();
    await Promise.all([this.gate.stop(), this.router.close()]);
  }

  /**
   * Leadership was given up: commands stop at once, but for up to 2 s what workers still send is read and forwarded, until
   * the successor has connected to all of them.
   */
  async handOver(): Promise<void> {
    if (this.phase !== 'leading') return;
    this.phase = 'releasing';
    this.loop.stop();
    void this.gate.stop();
    this.connections.stop();
    this.pool.release();
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
    const { emit, connectionLogger: logger, figures } = this.options;
    const { pool } = this;
    pool.on('change', () => {
      this.loop.trigger();
      this.connections.stateChanged();
    });
    pool.on('worker:connecting', (event) => emit('worker:connecting', event));
    pool.on('worker:connected', (event) => {
      this.sessions.reset(event.url);
      emit('worker:connected', event);
    });
    pool.on('patchSession', (worker, message) => {
      void this.options.patches.answer(worker, message).then((answer) => pool.send(worker, answer));
    });
    pool.on('worker:disconnected', (event) => {
      this.sessions.reset(event.url);
      logger.debug(`worker ${event.url} disconnected: ${event.reason}`);
      emit('worker:disconnected', event);
    });
    pool.on('worker:websocket_error', (event) => {
      logger.debug(`worker ${event.url}: ${event.error}`);
      emit('worker:websocket_error', event);
    });
    pool.on('worker:online', (event) => {
      logger.log(`worker ${event.url} is online`);
      emit('worker:online', event);
    });
    pool.on('worker:offline', (event) => {
      logger.warn(`worker ${event.url} is offline`);
      emit('worker:offline', event);
    });
    pool.on('worker:state_report', (event) => {
      this.actual.seen(
        event.report.cameraConnections.flatMap((c) => (c.online ? [c.subscriptionIdentifier] : [])),
        Date.now(),
      );
      this.connections.figuresChanged();
      emit('worker:state_report', event);
    });
    pool.on('invalid', (worker, kind, detail, isFirst) => {
      figures.invalidFrame(kind);
      if (isFirst)
        logger.warn(
          `worker ${worker} sent an invalid frame (${kind}): ${detail}; further ones of this kind are counted only`,
        );
    });
    pool.on('detection', (worker, message, frame, detectionId) => {
      const { subscriptionIdentifier } = message;
      if (!this.accepts(worker, subscriptionIdentifier)) {
        this.noteForeign(worker, subscriptionIdentifier);
        return;
      }
      const timestamp = new Date().toISOString();
      this.router.route({ workerUrl: worker, subscriptionIdentifier, frame, timestamp, detectionId });
    });
  }

  /** A detection counts when it comes from the worker that holds its subscription, or from the one that is about to. */
  private accepts(worker: string, subscriptionIdentifier: string): boolean {
    const place = this.actual.tracked.get(subscriptionIdentifier);
    return (
      place !== undefined && (place.holder === worker || (place.holder === '' && place.workerUrl === worker))
    );
  }

  private noteForeign(worker: string, subscriptionIdentifier: string): void {
    this.foreignDetections++;
    this.options.figures.foreignDetection();
    if (this.foreign.has(worker)) return;
    this.foreign.add(worker);
    this.options.connectionLogger.warn(
      `worker ${worker} sent a detection of ${subscriptionIdentifier}, which it does not hold; further ones are counted only`,
    );
  }

  private async regenerate(): Promise<void> {
    const began = performance.now();
    let read = false;
    try {
      const [regeneration] = await Promise.all([this.desired.regenerate(), this.sessions.load()]);
      read = true;
      this.notes.note(regeneration);
    } finally {
      this.options.figures.regenerated(performance.now() - began, read);
      // Also when the database is away: explicit subscriptions may have come.
      this.loop.trigger();
    }
  }

  private onRegenerationError(error: Error, retryIn: number): void {
    if (error instanceof FencedError) return this.onDeposed(error);
    this.options.logger.error(
      `cannot read the desired state: ${error.message}; next attempt in ${retryIn} ms`,
    );
  }

  /** A successor has written: whatever the lease says, this tenure is over. */
  private onDeposed(error: Error): void {
    this.options.logger.warn(error.message);
    void this.abort();
  }

  /** One pass: decide, write down, send. Resolves with the instant of the next one. */
  private async pass(): Promise<number | null> {
    const { logger, timings } = this.options;
    const now = performance.now();
    if (this.phase !== 'leading') return null;
    if (!this.mayAct()) return now + 100;
    this.settled ||= this.pool.settled(timings.adoptionPatience, now);
    const { desired } = this;
    const workers = this.pool.observations();
    const result = reconcile({
      now,
      wallNow: Date.now(),
      desired: desired.entries,
      workers,
      tracked: this.actual.tracked,
      penalties: this.penalties,
      unsubscribing: this.unsubscribing,
      settling: !this.settled,
      mayUnsubscribe: desired.certain && this.settled,
    });
    this.options.figures.planned(performance.now() - now);
    this.options.figures.pass();
    try {
      const sends = await this.prepare(result.actions);
      for (const id of sends.failed) {
        const before = this.actual.tracked.get(id);
        if (before) result.tracked.set(id, before);
        else result.tracked.delete(id);
      }
      const full = now >= this.fullCommitAt;
      await this.actual.commit(result.tracked, full);
      if (full) this.fullCommitAt = now + timings.resyncInterval;
      this.penalties = result.penalties;
      this.unsubscribing = result.unsubscribing;
      for (const send of sends.ready) send();
      this.sessions.sync(workers);
      this.askSoon(new Set(result.actions.map(({ workerUrl }) => workerUrl)));
      const retry = sends.failed.length > 0 ? now + 1_000 : Number.POSITIVE_INFINITY;
      const settle = this.settled ? Number.POSITIVE_INFINITY : now + 100;
      const next = Math.min(result.wakeAt ?? Number.POSITIVE_INFINITY, retry, settle, this.fullCommitAt);
      return Number.isFinite(next) ? next : null;
    } catch (error) {
      if (error instanceof FencedError) {
        this.onDeposed(error);
        return null;
      }
      logger.warn(`reconciliation is put off: ${(error as Error).message}`);
      return performance.now() + 250;
    }
  }

  /** What was sent is confirmed by a report: ask for one instead of waiting for the next. */
  private askSoon(workers: ReadonlySet<string>): void {
    if (workers.size === 0) return;
    setTimeout(() => {
      for (const worker of workers) this.pool.send(worker, { type: 'requestState' });
    }, ASK_AFTER).unref();
  }

  /** Model URLs are made now, not when the subscription was: a signature must be fresh when it is sent. */
  private async prepare(
    actions: readonly WorkerAction[],
  ): Promise<{ ready: (() => void)[]; failed: string[] }> {
    const ready: (() => void)[] = [];
    const failed: string[] = [];
    await Promise.all(
      actions.map(async ({ type, workerUrl, subscriptionIdentifier }) => {
        if (type === 'unsubscribe') {
          ready.push(() => this.pool.send(workerUrl, { type, payload: { subscriptionIdentifier } }));
          return;
        }
        const { spec } = this.desired.entries.get(subscriptionIdentifier)!;
        try {
          const modelUrl = await freshModelUrl(spec, this.options.modelUrls, Date.now());
          this.actual.sending(subscriptionIdentifier, modelUrl);
          ready.push(() => {
            this.pool.send(workerUrl, subscribeCommand(spec, modelUrl));
            this.sessions.subscribed(workerUrl, subscriptionIdentifier);
          });
        } catch (error) {
          failed.push(subscriptionIdentifier);
          this.options.logger.error(
            `no model URL for ${subscriptionIdentifier}: ${(error as Error).message}`,
          );
        }
      }),
    );
    return { ready, failed };
  }
}
