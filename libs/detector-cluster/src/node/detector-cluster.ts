import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import { emitSafely, forwardEvents, type DetectorClusterEvents } from '../operators/cluster-events.js';
import type { OperatorAction, RecordedClusterEvent } from '../shared/cluster-event.js';
import { EventHistory, type EventPage } from '../operators/event-history.js';
import { ownState } from '../operators/cluster-view.js';
import { MasterSlaveWorkerCluster } from './master-slave-worker-cluster.js';
import { findListedWorker } from '../operators/find-worker.js';
import { checkedParams, type MasterMethod, type MasterMethods } from '../operators/master-methods.js';
import type { CallOptions } from '../operators/master-requests.js';
import type { PlanOptions, RebalanceOptions, ResignOptions } from '../operators/operator-options.js';
import {
  SubscriptionNotDesiredError,
  type ChangePreview,
  type DesiredChange,
  type PlanReport,
} from '../operators/plan-report.js';
import { presentTerm } from '../operators/present-term.js';
import { STANDINGS, type WorkerStanding, type WorkerStandingResult } from '../workers/directive-store.js';
import type { Resignation } from '../operators/resigner.js';
import {
  assertCallback,
  SubscriptionRequests,
  type CameraSubscription,
} from '../sources/subscription-requests.js';
import type { DeadLetter, DeliveryStats, DetectionCallback } from '@detector-cluster/delivery';
import type { DeadLetterPage, DropResult, ReplayResult } from '../operators/dead-letters.js';
import { CameraImages, type DetectionMoment } from '../operators/camera-images.js';
import type {
  ClusterFreshness,
  DetectorClusterState,
  ModelVersions,
  RebalanceProgress,
} from '../shared/cluster-state.js';
import {
  type ClusterSubscriptions,
  assertIdentifier,
  DRAIN_DEADLINE,
  type DrainForecast,
  InvalidInputError,
  parseSubscription,
} from '@detector-cluster/placement/internal';
import type { SubscriptionExplanation } from '@detector-cluster/placement';
import type { PatchSessionHandler } from '../operators/session-patches.js';
import { retryWhileUnavailable } from '../shared/retry-while-unavailable.js';
import { SubscriptionTrigger } from '../sources/subscription-trigger.js';
import { LOG_TOPICS, TopicLogger } from '../shared/topic-logger.js';

/**
 * The cluster as applications see it: the same calls on every process, master or not. Inject it; the module starts and
 * stops it.
 */
@Injectable()
export class DetectorCluster extends EventEmitter<DetectorClusterEvents> implements OnModuleInit {
  private readonly logger = new TopicLogger(LOG_TOPICS.cluster);
  private readonly requests: SubscriptionRequests;
  private readonly images: CameraImages;
  private readonly history: EventHistory;

  constructor(
    private readonly cluster: MasterSlaveWorkerCluster,
    private readonly trigger: SubscriptionTrigger,
  ) {
    super();
    this.requests = new SubscriptionRequests(cluster, trigger);
    this.history = new EventHistory(cluster.redis, cluster.keys);
    this.images = new CameraImages(cluster.stores.view, () => cluster.workers.current);
  }

  onModuleInit(): void {
    forwardEvents(this.cluster, this, this.logger);
    this.cluster.callbacks.observe(({ subscriptionIdentifier, data }) => {
      emitSafely(this, this.logger, 'worker:detection_result', {
        url: 'cluster-managed',
        cameraId: subscriptionIdentifier,
        detections: data.detection === null ? 0 : 1,
      });
    });
  }

  /** Starts accepting detections as soon as this process is registered. The module calls it by itself. Idempotent. */
  initialize(): void {
    this.cluster.initialize();
  }

  /**
   * Asks for a camera to be analysed, and for its detections in this process. The request is kept in Redis: it survives
   * restarts and fail-overs until {@link unsubscribeFromCamera}; the callback lives as long as this process. If the database has the
   * same identifier, the database takes precedence.
   *
   * A request whose URLs may hold credentials or a signature ends with this process, unless the module has the option `secret`: these
   * URLs then stay in memory, and Redis has them only encrypted for the present master. The first such request logs a warning.
   *
   * Resolves with true once the request is stored, also while no worker is available: it is `pending` then. The callback gets all
   * detections from the first one, unless the identifier was desired before. Waits up to 1 s until a master knows the callback.
   * @param subscriptionIdentifier `<displayId>;<cameraId>`
   * @param snapshotInterval milliseconds
   * @param cropX1 all four crop corners in pixels, or none
   * @throws {InvalidInputError} naming the argument, also for an address that `networks` does not allow; Redis errors when the request
   *   could not be stored
   */
  async subscribeToCamera(
    subscriptionIdentifier: string,
    rtspUrl: string,
    modelUrl: string,
    modelId: number,
    modelName: string,
    callback: DetectionCallback,
    snapshotUrl?: string,
    snapshotInterval?: number,
    cropX1?: number,
    cropY1?: number,
    cropX2?: number,
    cropY2?: number,
  ): Promise<boolean> {
    assertCallback(callback);
    return this.subscribe({
      subscriptionIdentifier,
      rtspUrl,
      modelUrl,
      modelId,
      modelName,
      callback,
      snapshotUrl,
      snapshotInterval,
      cropX1,
      cropY1,
      cropX2,
      cropY2,
    });
  }

  /**
   * {@link subscribeToCamera} with its arguments by name, for one subscription or many. Many are stored in one command, and are
   * read by the master once: all of them or, if one cannot be used, none.
   *
   * Resolves with true once they are stored. Waits up to 1 s until a master knows the callbacks. While there is no master, only the
   * first call waits.
   * @throws as {@link subscribeToCamera}
   */
  async subscribe(subscriptions: CameraSubscription | readonly CameraSubscription[]): Promise<boolean> {
    await this.requests.request(isList(subscriptions) ? subscriptions : [subscriptions]);
    return true;
  }

  /**
   * Withdraws the request of {@link subscribeToCamera} and removes this process's callbacks of the subscription. A subscription of the
   * database continues to run. Idempotent.
   * @throws {InvalidInputError} when the identifier is malformed; Redis errors when nothing could be stored
   */
  async unsubscribeFromCamera(subscriptionIdentifier: string): Promise<boolean> {
    await this.requests.withdraw(subscriptionIdentifier);
    return true;
  }

  /** {@link unsubscribeFromCamera} for every display of a camera, with or without a request or a callback here. */
  async unsubscribeFromAllWithCameraID(cameraIdentifier: string): Promise<void> {
    await this.requests.withdrawCamera(cameraIdentifier);
  }

  /**
   * Has the master send every subscription of a camera to its worker again, with a fresh model URL: for a stream that is stuck, or a
   * model that was replaced under its URL. The subscriptions stay where they are.
   *
   * Resolves with their number once they have been sent.
   * @throws {InvalidInputError}; `NoMasterError` when no master gave a sign within 5 s; `MasterRequestError`; Redis errors
   */
  async resubscribeCamera(cameraIdentifier: string): Promise<number> {
    assertIdentifier('cameraIdentifier', cameraIdentifier);
    return this.ask('resubscribe', { cameraIdentifier }, 'resubscribeCamera');
  }

  /**
   * Calls `callback` for every detection of a subscription, in this process, whether other processes listen or not. A promise that it
   * returns is awaited. When it throws, rejects or takes longer than 10 s, it is called again, at most three times, and then the
   * detection becomes a dead letter.
   *
   * Resolves when the master sends detections here. While there is no master, it resolves after 1 s, and the next master sends them.
   */
  async addDetectionListener(subscriptionIdentifier: string, callback: DetectionCallback): Promise<void> {
    parseSubscription(subscriptionIdentifier);
    assertCallback(callback);
    this.cluster.callbacks.add(subscriptionIdentifier, callback);
    await this.cluster.interests.announce();
  }

  /** Undoes one {@link addDetectionListener} with the same arguments. The subscription itself stays. */
  async removeDetectionListener(subscriptionIdentifier: string, callback: DetectionCallback): Promise<void> {
    this.cluster.callbacks.remove(subscriptionIdentifier, callback);
    await this.cluster.interests.announce();
  }

  /**
   * Calls `callback` for every detection of the partitions that this process owns. Each subscription is in one partition, and each
   * partition has one owner at a time, so with the same listener in every process each detection is handled once in the cluster.
   * Only processes with a global listener own partitions. Retries as in {@link addDetectionListener}.
   */
  addGlobalDetectionListener(callback: DetectionCallback): void {
    assertCallback(callback);
    this.cluster.callbacks.addGlobal(callback);
    void this.cluster.interests.announce();
  }

  /** Undoes one {@link addGlobalDetectionListener} with the same function. */
  removeGlobalDetectionListener(callback: DetectionCallback): void {
    this.cluster.callbacks.removeGlobal(callback);
    void this.cluster.interests.announce();
  }

  /**
   * The cluster as the master last described it. Never rejects: while Redis is unavailable it logs the error and returns
   * what this process knows of itself, without workers and slaves.
   */
  async getState(): Promise<DetectorClusterState> {
    try {
      return await this.withRetries(() => this.cluster.getClusterState(), STATE_TIMEOUT);
    } catch (error) {
      this.logger.error(`the cluster's state cannot be read: ${(error as Error).message}`);
      return ownState(this.cluster.election);
    }
  }

  /**
   * Whether a living master keeps the state up to date that {@link getState} and {@link getSubscriptions} read. Rejects while Redis is
   * unavailable.
   */
  getFreshness(): Promise<ClusterFreshness> {
    return this.withRetries(() => this.cluster.stores.view.freshness());
  }

  /** Every desired subscription with its worker, status and reason, and every display without one. Rejects while Redis is unavailable. */
  async getSubscriptions(): Promise<ClusterSubscriptions> {
    const [subscriptions, skipped] = await this.withRetries(() =>
      Promise.all([this.cluster.stores.view.subscriptions(), this.cluster.stores.view.skipped()]),
    );
    return { subscriptions, skipped };
  }

  /**
   * Has the master read the desired state and plan now, without waiting for a trigger. Reading takes at most a fifth of the time.
   *
   * Resolves with true when the master has planned.
   * @throws {NoMasterError} when no master gave a sign within 5 s; `MasterRequestError` when it could not read the
   *   desired state (`unreadable`), failed (`failed`), or is not done after 30 s (`timeout`): it continues; Redis errors when
   *   it could not be asked
   */
  regenerate(): Promise<boolean> {
    return this.ask('regenerate', {}, 'regenerate');
  }

  /**
   * Has the master read the desired state, plan and rebalance now, although it may be within the bands at which that
   * starts by itself. Moves are then made a few at a time; {@link plan} shows them.
   *
   * Resolves with true when the master has planned. Errors as of {@link regenerate}.
   * @param options `by`: who requests it, a name of up to 128 characters, for {@link getRebalance}
   */
  async rebalanceWorkers(options?: RebalanceOptions): Promise<boolean> {
    return this.ask('rebalance', { by: options?.by }, 'rebalanceWorkers');
  }

  /**
   * How far the last rebalance has come that was requested with {@link rebalanceWorkers}, under whatever master; null: none was. Rejects
   * while Redis is unavailable.
   */
  getRebalance(): Promise<RebalanceProgress | null> {
    return this.withRetries(() => this.cluster.stores.view.rebalance());
  }

  /**
   * The versions of each model's file: what cameras run, a canary, the way back. Sorted by id; without models that no subscription uses or
   * whose version is not known. Rejects while Redis is unavailable.
   */
  getModels(): Promise<ModelVersions[]> {
    return this.withRetries(() => this.cluster.stores.view.models());
  }

  /**
   * Has all cameras of a model run one version of its file, whatever the provider gives: the candidate of {@link getModels} confirms a
   * canary, the current version ends it, the former one is the way back. It stays until the provider gives a version that is not known yet.
   *
   * Resolves once it is written down; workers get it as any other change. With false if it was so already.
   * @throws {InvalidInputError} naming the argument, also if the provider does not have this version any more; otherwise as {@link plan}
   */
  async setModelVersion(modelId: number, version: string): Promise<boolean> {
    return this.ask('setModelVersion', { modelId, version }, 'setModelVersion');
  }

  /**
   * The plan as the master would make it now, and what it is doing: actions, moves that wait and for what, subscriptions
   * without a worker and why, the workers' scores. Nothing is done. Up to 250 ms old, more in a very large cluster. Of each
   * list the first 1,000 entries; `omitted` counts the others.
   * @param options `dryRun` must be true; with `rebalance` the plan that {@link rebalanceWorkers} would carry out
   * @throws {InvalidInputError} naming the option; `NoMasterError` when no master gave a sign within 5 s;
   *   `MasterRequestError`; Redis errors when it could not be asked
   */
  async plan(options: PlanOptions): Promise<PlanReport> {
    const { dryRun, rebalance = false } = (options ?? {}) as Partial<PlanOptions>;
    if (dryRun !== true)
      throw new InvalidInputError(
        'dryRun',
        'must be true: plan() shows a plan and carries none out; rebalanceWorkers() does',
      );
    return this.ask('preview', { rebalance }, 'plan');
  }

  /**
   * How many cameras run on a worker, and how many would have no worker if it were drained now. A drain waits for room for
   * `deadline` milliseconds, then the cameras stop. Nothing is done. Each call makes the master plan once.
   * @throws {UnknownWorkerError} otherwise as {@link plan}
   */
  async previewDrain(url: string): Promise<DrainForecast & { readonly deadline: number }> {
    const { id } = await findListedWorker(this.cluster.workers, url);
    return { ...(await this.ask('previewDrain', { url: id }, 'previewDrain')), deadline: DRAIN_DEADLINE };
  }

  /**
   * What the master would do if the desired state changed: on which worker each subscription of the change runs and would run, and
   * which other cameras would move or stop. Nothing is done. Each call makes the master plan once.
   * @param change up to 10,000 subscriptions that the source would add or change, and up to 10,000 that it would not return any more
   * @throws {InvalidInputError} naming the field; otherwise as {@link plan}
   */
  async previewChange(change: DesiredChange): Promise<ChangePreview> {
    const { added, removed } = (change ?? {}) as DesiredChange;
    return this.ask('previewChange', { added, removed }, 'previewChange');
  }

  /**
   * Why a subscription runs where it runs, or does not: what each worker would be worth to it and why it is not there, the
   * move that is under way or waits, and what is planned.
   * @param subscriptionIdentifier `<displayId>;<cameraId>`
   * @throws {InvalidInputError} naming the argument; `SubscriptionNotDesiredError`, not before the master has read what
   *   is desired: `MasterRequestError` `unreadable` when it cannot; otherwise as {@link plan}
   */
  async explain(subscriptionIdentifier: string): Promise<SubscriptionExplanation> {
    parseSubscription(subscriptionIdentifier);
    const explanation = await this.ask('explain', { subscriptionIdentifier }, 'explain');
    if (explanation === null) throw new SubscriptionNotDesiredError(subscriptionIdentifier);
    return explanation;
  }

  /**
   * Sets the standing of a worker. `draining` empties it, e.g. before maintenance: it gets nothing new, and its cameras move
   * to other workers, a few at a time. Each runs at its new worker before it stops here; after 5 min the master stops
   * waiting for that. Cameras that no other worker can take stay. `cordoned`: it gets nothing new and keeps its cameras; a
   * drain in progress stops. `open`: it takes part. Kept in Redis, under every master.
   *
   * Resolves once it is stored. The master is then notified; if it misses that, it reads the standing within 1 s. Setting the
   * same standing again changes and restarts nothing; `changed` says so.
   * @param url of a configured worker, with or without its credentials
   * @throws {InvalidInputError} naming the argument; `UnknownWorkerError`; Redis errors when it could not be stored
   */
  setWorkerStanding(url: string, standing: WorkerStanding): Promise<WorkerStandingResult> {
    return this.setStanding(url, standing, 'setWorkerStanding');
  }

  /** {@link setWorkerStanding} `draining`. Resolves with true, whether it was so before or not. */
  drainWorker(url: string): Promise<boolean> {
    return this.setStanding(url, 'draining', 'drainWorker').then(() => true);
  }

  /** {@link setWorkerStanding} `cordoned`. Resolves with true, whether it was so before or not. */
  cordonWorker(url: string): Promise<boolean> {
    return this.setStanding(url, 'cordoned', 'cordonWorker').then(() => true);
  }

  /** {@link setWorkerStanding} `open`. Resolves with true, whether it was so before or not. */
  uncordonWorker(url: string): Promise<boolean> {
    return this.setStanding(url, 'open', 'uncordonWorker').then(() => true);
  }

  /**
   * Has the master give up leadership, for another process to take it. A process that is alone wins it again, with a higher
   * term.
   *
   * Resolves with the ended term when leadership has been given up. However often the request has to be repeated, it ends
   * one term: of two callers that name the same term, one learns that another master now leads.
   * @param options `term`: only the master of this term; default: the term that this process knows
   * @throws {InvalidInputError} naming `term`; `MasterChangedError` when another term leads: nothing was done;
   *   `NoMasterError` when no master gave a sign within 10 s; `MasterRequestError`; Redis errors
   */
  async resignMaster(options?: ResignOptions): Promise<Resignation> {
    const call = 'resignMaster';
    // A repeated request must never address the successor, so the first message already contains the term.
    const { term = await presentTerm(this.cluster.election, { call, timeout: CHANGE_TIMEOUT }) } =
      options ?? {};
    return this.ask('resign', { term }, call, { timeout: CHANGE_TIMEOUT });
  }

  /**
   * Has the master record an action of a person or a program in the history. `listEvents` returns it as `operator-action`.
   *
   * Resolves with true when the master has accepted it. The master writes it within a second.
   * @param action `by`: a name, never a key; `action`; `target`: null for none
   * @throws {InvalidInputError} naming the field; `NoMasterError` when no master gave a sign within 10 s; Redis errors
   */
  async recordAction(action: OperatorAction): Promise<boolean> {
    const { action: what, by, target = null } = (action ?? {}) as OperatorAction;
    return this.ask('record', { by, action: what, target }, 'recordAction', { timeout: CHANGE_TIMEOUT });
  }

  /**
   * Sets the session of the display of a subscription; null clears it. Redis keeps it. Every master sends it to each worker of the
   * display, now and after each new subscription or connection.
   *
   * Resolves with true once it is stored, also while no worker runs the subscription.
   * @param subscriptionIdentifier `<displayId>;<cameraId>`; the session is that of all subscriptions of the display
   * @throws {InvalidInputError} naming the argument; Redis errors when it could not be stored
   */
  async setSessionId(subscriptionIdentifier: string, sessionId: number | null): Promise<boolean> {
    const { displayId } = parseSubscription(subscriptionIdentifier);
    if (sessionId !== null && !Number.isSafeInteger(sessionId))
      throw new InvalidInputError('sessionId', `must be a whole number or null, got ${String(sessionId)}`);
    await this.withRetries(() => this.cluster.stores.sessions.put(displayId, sessionId));
    this.trigger.triggerSessionUpdate(displayId);
    return true;
  }

  /**
   * The last frame of a camera, or the picture of one of its detections, as a JPEG, from a worker that runs it; on every process, with or without a master.
   * @param identifier a subscription `<displayId>;<cameraId>`, or a camera
   * @param moment the detection whose picture to return; left out: the last frame
   * @throws {InvalidInputError} naming the argument
   * @throws {CameraNotHostedError} when no worker that is online runs it
   * @throws {CameraImageError} when the worker has no frame, does not answer within 5 s, or with something else than a
   *   JPEG of up to 10 MiB; see `problem`
   */
  async getCameraImage(identifier: string, moment?: DetectionMoment): Promise<Buffer> {
    if (typeof identifier === 'string' && identifier.includes(';'))
      parseSubscription(identifier, 'identifier');
    else assertIdentifier('identifier', identifier);
    return this.images.get(identifier, moment);
  }

  /**
   * Calls `handler` with the session patches of workers. It runs on the master, so register it in every process that
   * can become one. The worker gets its answer within 5 s: a failure with the reason when there is no handler, when it
   * throws, and when it takes longer than 4.5 s. When the master changes in the meantime, the next one answers with a
   * failure once it is connected, and the handler may get the same patch again.
   * @returns a function that removes the handler
   * @throws Error when there is one already
   */
  onPatchSession(handler: PatchSessionHandler): () => void {
    if (typeof handler !== 'function') throw new InvalidInputError('handler', 'must be a function');
    return this.cluster.patches.handleWith(handler);
  }

  /** Counts of this process since its start: delivered, sent and lost detections. Never rejects. */
  deliveryStats(): Promise<DeliveryStats> {
    return this.cluster.deliveryStats();
  }

  /**
   * The history of the cluster: workers that came and went, cameras that moved, changes of the master. About 10,000 events are kept.
   * Oldest first: the last 100, or `limit`; the first ones `after` the given one; or the last ones `before` the given one.
   * @throws {InvalidInputError} naming the argument; Redis errors
   */
  listEvents(page?: EventPage): Promise<RecordedClusterEvent[]> {
    return this.withRetries(() => this.history.list(page));
  }

  /**
   * Dead letters, oldest first or, with `newestFirst`, newest first: 100, or `limit`. The next page begins `after` the last one.
   * `matches` filters letters. It is called with each letter, so such a call takes longer if there are many.
   * @throws {InvalidInputError} naming the option; Redis errors
   */
  listDeadLetters(page?: DeadLetterPage): Promise<DeadLetter[]> {
    return this.withRetries(() => this.cluster.stores.deadLetters.list(page));
  }

  /**
   * Has dead letters delivered again, in their order and marked `redelivered`. Redis keeps the request and the master carries it out,
   * so that it survives a change of the master and the end of the caller.
   * @throws {InvalidInputError} naming the argument; `NoMasterError` while there is no master: the next master replays the letters
   */
  replayDeadLetters(ids: readonly string[] | 'all'): Promise<ReplayResult> {
    return this.cluster.stores.deadLetters.replay(ids);
  }

  /**
   * Removes dead letters for good, with or without a master. A letter is either replayed or dropped: a letter with a pending replay
   * stays.
   * @throws {InvalidInputError} naming the argument; Redis errors, after which some may be gone
   */
  async dropDeadLetters(ids: readonly string[] | 'all'): Promise<DropResult> {
    const result = await this.cluster.stores.deadLetters.drop(ids);
    if (result.dropped > 0) this.logger.log(`${result.dropped} dead letters were dropped, as asked for`);
    return result;
  }

  /** @param call the method of the application's API, for messages */
  private async setStanding(
    url: string,
    standing: WorkerStanding,
    call: string,
  ): Promise<WorkerStandingResult> {
    if (!STANDINGS.includes(standing))
      throw new InvalidInputError('standing', `must be one of ${STANDINGS.join(', ')}`);
    const { stores, workers } = this.cluster;
    const { id } = await findListedWorker(workers, url);
    const result = await this.withRetries(() => stores.directives.set(id, standing));
    // Only a hint: the directive is stored, and a master that misses the hint reads it later.
    await this.ask('directivesChanged', {}, call, { timeout: HINT_TIMEOUT, limit: HINT_TIMEOUT }).catch(
      () => undefined,
    );
    return result;
  }

  private async ask<M extends MasterMethod>(
    method: M,
    params: MasterMethods[M]['params'],
    call: string,
    limits?: Omit<CallOptions, 'call'>,
  ): Promise<MasterMethods[M]['result']> {
    return this.cluster.requests.call(method, checkedParams(method, params), { call, ...limits });
  }

  /** Milliseconds; default 2 s. */
  private withRetries<T>(call: () => Promise<T>, timeout?: number): Promise<T> {
    return retryWhileUnavailable(this.cluster.redis, call, timeout);
  }
}

/** How long a call waits for the master to apply a stored directive. Milliseconds. */
const HINT_TIMEOUT = 1_000;

/** How long a change of master may take until the successor announces itself. Milliseconds. */
const CHANGE_TIMEOUT = 10_000;

/** Callers of `getState` need an answer soon, even an incomplete one. Milliseconds. */
const STATE_TIMEOUT = 250;

/** `Array.isArray` does not narrow readonly arrays. */
const isList = (
  value: CameraSubscription | readonly CameraSubscription[],
): value is readonly CameraSubscription[] => Array.isArray(value);
