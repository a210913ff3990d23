import type { MasterElection } from '@detector-cluster/master-election';
import { FakeMasterElection } from '@detector-cluster/master-election/testing';
import type { PatchSessionResultCommand } from '@detector-cluster/worker-protocol';
import type { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';
import type { DeliveryStats } from '@detector-cluster/delivery';
import type { SkippedDisplay, DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { DetectorCluster } from '../node/detector-cluster.js';
import { CameraNotHostedError } from '../operators/camera-image.error.js';
import type { OperatorAction, RecordedClusterEvent } from '../shared/cluster-event.js';
import type { WorkerConnectionState } from '../shared/cluster-state.js';
import type { EventPage } from '../operators/event-history.js';
import { SubscriptionTrigger } from '../sources/subscription-trigger.js';
import { FakeCluster, type FakeClusterOptions } from './fake-cluster.js';
import { type DeliveryOutcome, FakeDeliveries, type FakeDelivery } from './fake-deliveries.js';

export interface FakeDetectorClusterOptions extends Partial<FakeClusterOptions> {
  /** Default a `FakeMasterElection`. */
  readonly election?: MasterElection;
}

/**
 * A `DetectorCluster` for unit tests: no Redis, no worker, no database. Only calls of the test change it. It is the real class over
 * stores in memory, so that checks of arguments, callbacks, retries, dead letters and events behave as in the real one. Retries do not
 * wait.
 */
export class FakeDetectorCluster extends DetectorCluster {
  /** Receives the announcements of the application and sends them nowhere. `triggers` lists them. */
  readonly subscriptionTrigger: SubscriptionTrigger;
  /** The announcements: reasons such as `camera.created 7`, and `session <display>`. */
  readonly triggers: string[];
  private readonly fake: FakeCluster;
  private readonly deliveries: FakeDeliveries;
  private readonly pictures = new Map<string, Buffer | Error>();
  private readonly events: RecordedClusterEvent[] = [];
  private isMounted = false;

  constructor({ election = new FakeMasterElection(), ...options }: FakeDetectorClusterOptions = {}) {
    const fake = new FakeCluster({ election, ...options });
    const trigger = new FakeTrigger();
    super(fake as unknown as MasterSlaveWorkerCluster, trigger);
    this.fake = fake;
    this.subscriptionTrigger = trigger;
    this.triggers = trigger.calls;
    this.deliveries = new FakeDeliveries(fake.callbacks, election);
    fake.deadLetters = this.deliveries.letters;
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
  deliver(delivery: FakeDelivery): Promise<DeliveryOutcome> {
    return this.deliveries.deliver(delivery);
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

  /** A worker is removed from the list. */
  removeWorker(url: string): void {
    this.fake.workerStates.delete(url);
  }

  /** The subscriptions of the database. They run while a worker is online. */
  setDesired(
    subscriptions: readonly DesiredCameraSubscription[],
    skipped: readonly SkippedDisplay[] = [],
  ): void {
    this.fake.desired.clear();
    for (const one of subscriptions) this.fake.desired.set(one.subscriptionIdentifier, one);
    this.fake.skipped = skipped;
  }

  /** Requests of {@link subscribeToCamera} and {@link subscribe} that no call has withdrawn. */
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

  /** Names of the calls that the master has answered, such as `regenerate`. */
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
    return this.deliveries.stats();
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
  excess: null,
  drainTotal: null,
});
