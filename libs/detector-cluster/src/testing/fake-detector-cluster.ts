import type { MasterElection } from '@detector-cluster/master-election';
import { FakeMasterElection } from '@detector-cluster/master-election/testing';
import type { PatchSessionResultCommand } from '@detector-cluster/worker-protocol';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { MasterSlaveWorkerCluster } from '../cluster/master-slave-worker-cluster.js';
import { ClusterHandlerExplorer } from '../decorators/cluster-handler.explorer.js';
import { ClusterHandlerOrchestrator } from '../decorators/cluster-handler.orchestrator.js';
import type { DeadLetter } from '../delivery/dead-letters/dead-letter.js';
import type { DeadLetterPage, DropResult, ReplayResult } from '../delivery/dead-letters/dead-letters.js';
import type { DeliveryStats } from '../delivery/delivery-stats.js';
import { consumerDefaults } from '../delivery/receive/consumer-context.js';
import { runCallbacks } from '../delivery/receive/entry-handler.js';
import type { SkippedDisplay } from '../desired/desired-state-source.js';
import { DetectorCluster } from '../detector-cluster.js';
import { CameraNotHostedError } from '../images/camera-image.error.js';
import type { OperatorAction, RecordedClusterEvent } from '../model/cluster-event.js';
import type { WorkerConnectionState } from '../model/cluster-state.js';
import type { Detection, DetectionCallback, DetectionMeta } from '../model/detection.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import type { EventPage } from '../state/event-journal.js';
import { SubscriptionTrigger } from '../trigger/subscription-trigger.js';
import { FakeCluster, type FakeClusterOptions } from './fake-cluster.js';

export interface FakeDetectorClusterOptions extends Partial<FakeClusterOptions> {
  /** Default a `FakeMasterElection`. */
  readonly election?: MasterElection;
}

/** A detection as a worker sends it; what is left out is made up. */
export interface FakeDelivery {
  readonly subscriptionIdentifier: string;
  /** Null: the worker looked and found nothing. */
  readonly detection: Detection | null;
  readonly modelId?: number;
  readonly modelName?: string;
  readonly timestamp?: Date;
  readonly workerUrl?: string;
  /** Give that of an earlier delivery to deliver it again. */
  readonly detectionId?: string;
  /** Default: whether `detectionId` was delivered before. */
  readonly redelivered?: boolean;
  /** Default one that does not abort. */
  readonly signal?: AbortSignal;
}

/** The outcome of a delivery. */
export interface DeliveryOutcome {
  readonly detectionId: string;
  /** Callbacks that were called at least once; 0: there are no listeners. */
  readonly called: number;
  /** What callbacks threw, in the order of the attempts. */
  readonly errors: readonly Error[];
  /** Its letters: callbacks failed at every attempt. */
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * A `DetectorCluster` for unit tests: no Redis, no worker, no database, and nothing happens but what the test says. It is the real class over
 * stores in memory, so that checks of arguments, callbacks, retries, dead letters and events are those of the real one. Retries do not wait.
 */
export class FakeDetectorCluster extends DetectorCluster {
  /** Takes what the application announces, and sends it nowhere; `triggers` lists it. */
  readonly subscriptionTrigger: SubscriptionTrigger;
  /** What was announced: reasons such as `camera.created 7`, and `session <display>`. */
  readonly triggers: string[];
  private readonly fake: FakeCluster;
  private readonly letters: FakeDeadLetters;
  private readonly pictures = new Map<string, Buffer | Error>();
  private readonly delivered = new Set<string>();
  private readonly events: RecordedClusterEvent[] = [];
  private readonly counts = { out: 0, dead: 0, redelivered: 0, unheard: 0 };
  private isMounted = false;
  private sequence = 0;

  constructor({ election = new FakeMasterElection(), ...options }: FakeDetectorClusterOptions = {}) {
    const fake = new FakeCluster({ election, ...options });
    const trigger = new FakeTrigger();
    super(fake as unknown as MasterSlaveWorkerCluster, trigger);
    this.fake = fake;
    this.subscriptionTrigger = trigger;
    this.triggers = trigger.calls;
    this.letters = new FakeDeadLetters((letter) => this.redeliver(letter));
    Object.assign(fake, { deadLetters: this.letters });
    this.onModuleInit();
  }

  override onModuleInit(): void {
    if (this.isMounted) return;
    this.isMounted = true;
    super.onModuleInit();
  }

  override initialize(): void {}

  /**
   * Delivers a detection: to global listeners, and to those of the subscription. Callbacks that fail are called again, three times at most,
   * without the pauses of the real cluster. Resolves when all have ended.
   */
  async deliver(delivery: FakeDelivery): Promise<DeliveryOutcome> {
    const { callbacks } = this.fake;
    parseSubscription(delivery.subscriptionIdentifier);
    const detectionId = delivery.detectionId ?? `fake-${++this.sequence}`;
    const known = {
      ...delivery,
      detectionId,
      redelivered: delivery.redelivered ?? this.delivered.has(detectionId),
    };
    this.delivered.add(detectionId);
    const audiences = [
      { audience: 'owner', callbacks: callbacks.hasGlobal ? callbacks.ofAll() : [] },
      { audience: 'listener', callbacks: callbacks.of(delivery.subscriptionIdentifier) },
    ] as const;
    const errors: Error[] = [];
    const deadLetters: DeadLetter[] = [];
    for (const { audience, callbacks: each } of audiences) {
      if (each.length === 0) continue;
      const failed = await this.run(each, known, errors);
      if (failed !== null) deadLetters.push(this.deadLetter(known, audience, failed));
      else this.counts.out++;
    }
    const called = audiences.reduce((sum, { callbacks: each }) => sum + each.length, 0);
    if (called === 0) this.counts.unheard++;
    if (known.redelivered) this.counts.redelivered++;
    return { detectionId, called, errors, deadLetters };
  }

  /** A worker appears or changes; `worker:online` and `worker:offline` follow from `online`, which is true by default. */
  setWorker(url: string, state: Partial<Omit<WorkerConnectionState, 'url'>> = {}): void {
    const { workerStates } = this.fake;
    const before = workerStates.get(url);
    const { online = true } = state;
    const liveness = online ? 'Ready' : 'Offline';
    const known = { ...(before ?? unknownWorker(url)), online, state: liveness, ...state, url } as const;
    const after = Object.freeze({ ...known, subscriptions: Object.freeze([...known.subscriptions]) });
    workerStates.set(url, after);
    if (after.online !== (before?.online ?? false))
      this.fake.emit(after.online ? 'worker:online' : 'worker:offline', { url });
  }

  /** A worker is taken off the list. */
  removeWorker(url: string): void {
    this.fake.workerStates.delete(url);
  }

  /** What the database wants; it runs while a worker is online. */
  setDesired(
    subscriptions: readonly DesiredCameraSubscription[],
    skipped: readonly SkippedDisplay[] = [],
  ): void {
    this.fake.desired.clear();
    for (const one of subscriptions) this.fake.desired.set(one.subscriptionIdentifier, one);
    this.fake.skipped = skipped;
  }

  /** What {@link subscribeToCamera} and {@link subscribe} have requested and no call has withdrawn. */
  get requested(): DesiredCameraSubscription[] {
    return [...this.fake.explicit.stored.values()];
  }

  /** The session of a display; `undefined` if none was ever set. */
  sessionOf(displayId: string): number | null | undefined {
    return this.fake.sessionIds.get(displayId);
  }

  /** The picture of a camera or a subscription, or the error of {@link getCameraImage}. */
  setCameraImage(identifier: string, image: Buffer | Error): void {
    this.pictures.set(identifier, image);
  }

  /** A worker patches a session; resolves with the answer to the worker. */
  patchSession(
    sessionId: number,
    data: unknown,
    workerUrl = 'ws://fake:8000',
  ): Promise<PatchSessionResultCommand['payload']> {
    return this.fake.patches
      .answer(workerUrl, { type: 'patchSession', sessionId, data })
      .then(({ payload }) => payload);
  }

  /** While false, calls that need the master fail with `NoMasterError`, and the state is stale. */
  setMaster(isThere: boolean): void {
    this.fake.hasMaster = isThere;
  }

  /** Until it is called with null, calls that need Redis fail with the error. */
  fail(error: Error | null): void {
    this.fake.failure = error;
  }

  /** Calls that the master has answered, such as `regenerate`. */
  get asked(): readonly string[] {
    return this.fake.asked;
  }

  override async getCameraImage(identifier: string): Promise<Buffer> {
    const image = this.pictures.get(identifier);
    if (image === undefined) throw new CameraNotHostedError(identifier);
    if (image instanceof Error) throw image;
    return image;
  }

  override async deliveryStats(): Promise<DeliveryStats> {
    const { out, dead, redelivered, unheard } = this.counts;
    return {
      in: 0,
      out,
      late: 0,
      dropped: 0,
      unheard,
      dead,
      redelivered,
      lagMs: 0,
      backlog: 0,
      partitions: 0,
    };
  }

  override async listEvents({ after, before, limit = 100 }: EventPage = {}): Promise<RecordedClusterEvent[]> {
    await this.fake.stored();
    const placeOf = (id: string) => this.events.findIndex(({ eventId }) => eventId === id);
    if (after !== undefined) return this.events.slice(placeOf(after) + 1).slice(0, limit);
    return this.events.slice(0, before === undefined ? undefined : placeOf(before)).slice(-limit);
  }

  override async recordAction(action: OperatorAction): Promise<boolean> {
    await super.recordAction(action);
    const eventId = `${this.events.length + 1}-0`;
    this.events.push({ type: 'operator-action', ...action, at: new Date().toISOString(), eventId, term: 1 });
    return true;
  }

  private async run(
    callbacks: readonly DetectionCallback[],
    delivery: FakeDelivery & { readonly detectionId: string; readonly redelivered: boolean },
    errors: Error[],
  ): Promise<Error | null> {
    const {
      subscriptionIdentifier,
      detection,
      modelId = 1,
      modelName = 'model',
      timestamp = new Date(),
    } = delivery;
    const message = { subscriptionIdentifier, timestamp, data: { detection, modelId, modelName } };
    let left = callbacks;
    let last: Error | null = null;
    for (let attempt = 0; left.length > 0 && attempt <= consumerDefaults.retryDelays.length; attempt++) {
      const meta: DetectionMeta = {
        detectionId: delivery.detectionId,
        workerUrl: delivery.workerUrl ?? 'ws://fake:8000',
        receivedAt: Date.now(),
        attempt,
        redelivered: delivery.redelivered || attempt > 0,
        signal: delivery.signal ?? new AbortController().signal,
      };
      const failures = await runCallbacks(left, message, meta, consumerDefaults.callbackTimeout);
      errors.push(...failures.map(({ error }) => error));
      last = failures[0]?.error ?? null;
      left = failures.map(({ callback }) => callback);
    }
    return last;
  }

  private deadLetter(
    {
      detectionId,
      workerUrl = 'ws://fake:8000',
      ...delivery
    }: FakeDelivery & { readonly detectionId: string },
    audience: DeadLetter['audience'],
    error: Error,
  ): DeadLetter {
    const {
      subscriptionIdentifier,
      detection,
      modelId = 1,
      modelName = 'model',
      timestamp = new Date(),
    } = delivery;
    const letter: DeadLetter = {
      letterId: `${++this.sequence}-0-${audience === 'listener' ? 'l' : '0'}`,
      detectionId,
      workerUrl,
      subscriptionIdentifier,
      receivedAt: Date.now(),
      frame: JSON.stringify({
        type: 'imageDetection',
        subscriptionIdentifier,
        timestamp,
        data: { detection, modelId, modelName },
      }),
      audience,
      error: error.stack ?? error.message,
      attempts: consumerDefaults.retryDelays.length + 1,
      failedAt: new Date(),
      processId: this.fake.election.getNodeId(),
    };
    this.letters.letters.set(letter.letterId, letter);
    this.counts.dead++;
    return letter;
  }

  private redeliver({ detectionId, frame, workerUrl }: DeadLetter): Promise<DeliveryOutcome> {
    const { subscriptionIdentifier, timestamp, data } = JSON.parse(frame) as {
      subscriptionIdentifier: string;
      timestamp: string;
      data: Pick<FakeDelivery, 'detection'> & { modelId: number; modelName: string };
    };
    return this.deliver({
      subscriptionIdentifier,
      timestamp: new Date(timestamp),
      ...data,
      detectionId,
      workerUrl,
      redelivered: true,
    });
  }
}

/** Keeps the announcements. */
class FakeTrigger extends SubscriptionTrigger {
  readonly calls: string[] = [];

  constructor() {
    super({ redis: 'redis://fake.invalid' });
  }

  override triggerSubscriptionUpdate(changeType: string, entityId?: string | number): void {
    this.calls.push(entityId === undefined ? changeType : `${changeType} ${entityId}`);
  }

  override triggerSessionUpdate(displayIdentifier: string): void {
    this.calls.push(`session ${displayIdentifier}`);
  }
}

const unknownWorker = (url: string): WorkerConnectionState => ({
  url,
  processId: 'fake',
  online: false,
  cpuUsage: null,
  memoryUsage: null,
  gpuUsage: null,
  gpuMemoryUsage: null,
  subscriptionCount: 0,
  subscriptions: [],
  lastHeartbeat: '',
  connectedAt: '',
  state: 'Connecting',
  problem: null,
  standing: 'open',
  drainTotal: null,
});

/** Dead letters in memory, oldest first. */
class FakeDeadLetters {
  readonly letters = new Map<string, DeadLetter>();

  /** @param redeliver delivers a letter again; it becomes a new letter when it fails again */
  constructor(private readonly redeliver: (letter: DeadLetter) => Promise<unknown>) {}

  async list({ after, limit = 100, newestFirst = false, matches = () => true }: DeadLetterPage = {}): Promise<
    DeadLetter[]
  > {
    const all = [...this.letters.values()];
    if (newestFirst) all.reverse();
    const from = after === undefined ? 0 : all.findIndex(({ letterId }) => letterId === after) + 1;
    return all.slice(from).filter(matches).slice(0, limit);
  }

  async replay(ids: readonly string[] | 'all'): Promise<ReplayResult> {
    const { found, gone } = this.take(ids);
    for (const letter of found) await this.redeliver(letter);
    return { replayed: found.length, left: [], gone };
  }

  async drop(ids: readonly string[] | 'all'): Promise<DropResult> {
    const { found, gone } = this.take(ids);
    return { dropped: found.length, left: [], gone };
  }

  private take(ids: readonly string[] | 'all') {
    const wanted = ids === 'all' ? [...this.letters.keys()] : ids;
    const found = wanted.flatMap((id) => this.letters.get(id) ?? []);
    const gone = wanted.filter((id) => !this.letters.has(id));
    for (const { letterId } of found) this.letters.delete(letterId);
    return { found, gone };
  }
}

/**
 * Takes the place of `DetectorClusterModule` in unit tests: provides a {@link FakeDetectorCluster}, and calls decorated methods such as
 * those of `@OnDetection`.
 */
@Module({})
export class DetectorClusterTestingModule {
  static register({
    isGlobal = false,
    ...options
  }: FakeDetectorClusterOptions & { readonly isGlobal?: boolean } = {}): DynamicModule {
    return {
      module: DetectorClusterTestingModule,
      global: isGlobal,
      imports: [DiscoveryModule],
      providers: [
        { provide: FakeDetectorCluster, useFactory: () => new FakeDetectorCluster(options) },
        { provide: DetectorCluster, useExisting: FakeDetectorCluster },
        {
          provide: SubscriptionTrigger,
          useFactory: (cluster: FakeDetectorCluster) => cluster.subscriptionTrigger,
          inject: [FakeDetectorCluster],
        },
        ClusterHandlerOrchestrator,
        ClusterHandlerExplorer,
      ],
      exports: [FakeDetectorCluster, DetectorCluster, SubscriptionTrigger],
    };
  }
}
