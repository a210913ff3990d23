import { FormatLevelError, MasterElection } from '@detector-cluster/master-election';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { ChangedRows } from '../sources/changed-rows.js';
import type { SharedSubscriber } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { errorMonitor, EventEmitter } from 'node:events';
import { fsyncProblem, TracerSlot } from '@detector-cluster/delivery/internal';
import {
  deliveryStats,
  type DeliveryStats,
  RouterCounters,
  type RouterStats,
  DetectionListeners,
  InterestRegistry,
  DetectionConsumer,
  redisConsumerStores,
} from '@detector-cluster/delivery';
import { CLUSTER_ELECTION, CLUSTER_OPTIONS } from '../options/detector-cluster-options.js';
import { InvalidDetectorClusterOptionsError } from '../shared/invalid-detector-cluster-options.error.js';
import type { ResolvedDetectorClusterOptions } from '../options/resolve-options.js';
import type { WorkerList } from '../workers/worker-list.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { RedisOutageLog } from '../shared/redis-outage-log.js';
import { answersPing, RedisWatch } from '../shared/redis-watch.js';
import { MasterRequests } from '../operators/master-requests.js';
import { MasterCommandServer } from '../sources/master-command-server.js';
import { SessionPatches } from '../operators/session-patches.js';
import { readHeartbeat } from '../operators/master-heartbeat.js';
import { StateWatch } from '../operators/state-watch.js';
import { watchAssignments } from '../operators/watch-assignments.js';
import type { ClusterCapacity } from '../operators/plan-report.js';
import { readClusterState, type ClusterView } from '../operators/cluster-view.js';
import type {
  DetectorClusterState,
  SubscriptionsByStatus,
  WorkerConnectionState,
} from '../shared/cluster-state.js';
import { redactText } from '../shared/redact-url.js';
import { ReconcileFigures } from '../term/reconcile-figures.js';
import { LOG_TOPICS, TopicLogger } from '../shared/topic-logger.js';
import { clusterTimers, type ClusterTimers } from '../shared/cluster-timers.js';
import { membersOf } from '../term/cluster-members.js';
import { emitSafely, type DetectorClusterEvents } from '../operators/cluster-events.js';
import { describeConsumerEvent } from '../term/describe-event.js';
import type { NetworkPolicy } from '../shared/network-policy.js';
import type { PendingCall } from '../shared/application-calls.js';
import { ClusterConnections } from '../term/cluster-connections.js';
import { ClusterStores } from '../term/cluster-stores.js';
import { MasterTerm, type TermNode } from '../term/master-term.js';
import { ELECTION_AFTER_OUTAGE, MasterTerms } from '../term/master-terms.js';
import type { NoticedOutage } from '../operators/outage-records.js';

/**
 * The two roles of a backend process. As master: one `MasterTerm` per lease. In both roles: takes the detections
 * that are routed to this process and runs its callbacks.
 */
@Injectable()
export class MasterSlaveWorkerCluster
  extends EventEmitter<DetectorClusterEvents>
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  readonly connections: ClusterConnections;
  readonly stores: ClusterStores;
  readonly callbacks = new DetectionListeners();
  readonly interests: InterestRegistry;
  readonly requests: MasterRequests;
  /** What the application answers to session patches of workers. */
  readonly patches = new SessionPatches({ onFailure: (error) => this.logger.error(error.message) });
  /** Figures of this process as master, for metrics. */
  readonly figures = new ReconcileFigures();
  /** Counts of detections that it has sent as master, over all its terms. */
  readonly sent = new RouterCounters();
  /** Filled by the entry point `tracing`. */
  readonly tracing = new TracerSlot();

  private readonly logger = new TopicLogger(LOG_TOPICS.coordination);
  private readonly consumer: DetectionConsumer;
  private readonly commands: MasterCommandServer;
  private readonly terms: MasterTerms;
  private readonly node: TermNode;
  private readonly stateWatch: StateWatch;
  private readonly timers: ClusterTimers;
  private started = false;
  private ending = false;
  /** Since when it waits until it may read; null before and after that. Monotonic milliseconds. */
  private waitingSince: number | null = null;
  private readonly redisWatch: RedisWatch;
  private readonly redisOutages = new RedisOutageLog(this.logger);

  constructor(
    @Inject(CLUSTER_OPTIONS) private readonly options: ResolvedDetectorClusterOptions,
    @Inject(CLUSTER_ELECTION) readonly election: MasterElection,
  ) {
    super();
    const processId = election.getNodeId();
    const connections = new ClusterConnections(options, (error) => this.onRedisError(error));
    const { keys, redis, subscriber } = connections;
    this.connections = connections;
    this.timers = clusterTimers(election);
    this.stores = new ClusterStores(connections, {
      secretBox: options.secretBox,
      requester: { processId, bootId: election.getBootId() },
      onHeldChange: () => this.requestRead(),
      timers: this.timers,
      logger: this.logger,
    });
    redis.on('ready', () => this.onRedisReady());
    this.redisWatch = new RedisWatch({
      answers: () => answersPing(redis),
      onEnd: (outage) => this.terms.outageEnded(outage),
    });
    this.terms = new MasterTerms({
      election,
      adoptionTimeout: options.timings.adoptionTimeout,
      report: (outage) => this.reportOutage(outage),
    });
    const { figures, logger, patches, sent, timers, tracing } = this;
    this.node = {
      id: processId,
      timers,
      patches,
      figures,
      sent,
      tracing,
      logger,
      connectionLogger: new TopicLogger(LOG_TOPICS.connection),
      emit: (event, ...args) => void this.emit(event, ...(args as never)),
      processes: () => election.getAllProcesses(),
      members: async () => {
        const processes = await election.getAllProcesses();
        return membersOf(processes, processId, await election.getAbsent(processes));
      },
      resign: () => election.resign(),
      confirmRegistration: () => election.confirmRegistration(),
    };
    this.requests = new MasterRequests({
      subscriber,
      publisher: redis,
      keys,
      processId,
      controls: () => this.terms.controls,
      onFailure: (method, error) =>
        logger.error(`${method} failed`, error instanceof Error ? error.stack : String(error)),
      onInvalid: () =>
        logger.warn(
          `ignored an invalid message on ${keys.masterRequests}; further ones are ignored without a warning`,
        ),
    });
    this.interests = new InterestRegistry({
      redis,
      subscriber,
      keys,
      processId,
      listeners: this.callbacks,
      hasMaster: () => election.masterId !== null,
      onWarning: (message) => logger.debug(message),
    });
    this.consumer = new DetectionConsumer({
      stores: redisConsumerStores(connections.delivery, connections.logs),
      keys,
      processId,
      listeners: this.callbacks,
      tracing,
      redact: redactText,
      onHandled: (age) => figures.delivered(age),
      // A master that considered this process dead has also removed its listeners.
      onOwnershipLost: () => this.interests.repeat(),
      onEvent: (event) =>
        event.type === 'redis-error' ? this.onRedisError(event.error) : describeConsumerEvent(event, logger),
    });
    this.stateWatch = new StateWatch({
      election,
      readHeartbeat: () => readHeartbeat(redis, keys),
      logger,
      timer: timers.watch,
      keyPrefix: options.keyPrefix,
    });
    this.commands = new MasterCommandServer({
      subscriber,
      keys,
      onCommand: (command) => {
        if (command.type === 'session_changed') this.terms.current?.sessionChanged(command.displayIdentifier);
        else this.regenerateSoon(command.reason, command.rows);
      },
      onInvalid: (kind) => logger.warn(`ignored a message on ${keys.masterCommands}: ${kind}`),
      onReconnected: () => this.regenerateSoon('reconnected'),
    });
  }

  async onModuleInit(): Promise<void> {
    if (this.options.delivery.acceptance?.fsync === true) {
      const problem = await fsyncProblem(this.connections.redis);
      if (problem !== undefined) throw new InvalidDetectorClusterOptionsError([problem]);
    }
    this.listTimers();
    this.election.on('master-absent', () => this.stores.actual.readAhead());
    this.election.on('master-acquired', () => this.becomeMaster());
    this.election.on('master-lost', ({ reason }) =>
      this.becomeSlave(reason === 'resigned' || reason === 'stopped'),
    );
    this.on('worker:online', ({ url }) => this.terms.connected(url));
    this.election.on(
      'slave-registered',
      ({ nodeId }) => void this.terms.current?.membersChanged(nodeId, false),
    );
    this.election.on('slave-removed', (nodeId) => void this.terms.current?.membersChanged(nodeId, true));
    // With a listener of `error` the election would no longer log its errors.
    this.election.on(errorMonitor as unknown as 'error', (error) => {
      if (!(error instanceof FormatLevelError)) return;
      this.logger.error(`this process ends its part in the cluster: ${error.message}`);
      void this.shutdown();
    });
  }

  /** @throws FormatLevelError */
  async onApplicationBootstrap(): Promise<void> {
    await this.election.onApplicationBootstrap();
    this.initialize();
  }

  /**
   * Starts accepting detections and commands when this process is registered, which it is not while Redis is unavailable. Before that it
   * does not know whether it understands what other processes write. Idempotent.
   */
  initialize(): void {
    if (this.started) return;
    this.started = true;
    this.waitingSince = performance.now();
    this.listTimers();
    void this.election.registered.then(() => this.begin());
  }

  /** @throws Error when the application has an interval of the same name. */
  private listTimers(): void {
    for (const timer of Object.values(this.timers)) timer.list();
  }

  private begin(): void {
    this.waitingSince = null;
    if (this.ending) return;
    this.consumer.start();
    if (this.callbacks.hasGlobal) void this.interests.announce();
    this.commands.open();
    this.requests.open();
    watchAssignments(this.connections.subscriber, this.connections.keys, (update) =>
      emitSafely(this, this.logger, 'worker:assignments_changed', update),
    );
    this.watchWorkers();
    this.stateWatch.start();
    this.stores.held.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.ending = true;
    // The election has given leadership up by now. The term still reads messages of workers until the successor has connected.
    await this.terms.close();
    await this.interests.withdraw();
    await this.stores.held.close();
    this.commands.close();
    await this.consumer.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    for (const timer of Object.values(this.timers)) timer.unlist();
    this.redisWatch.close();
    this.interests.close();
    this.requests.close();
    this.connections.close();
  }

  /**
   * Ends both roles and closes every connection, as Nest's shutdown does. Stop the election first, so that another process takes
   * over. Idempotent.
   */
  async shutdown(): Promise<void> {
    await this.beforeApplicationShutdown();
    await this.onApplicationShutdown();
  }

  get keys(): ClusterKeys {
    return this.connections.keys;
  }

  /** The connection for commands that may wait for each other. */
  get redis(): Redis {
    return this.connections.redis;
  }

  /** For all channels. */
  get subscriber(): SharedSubscriber {
    return this.connections.subscriber;
  }

  /** The records of the master, for all processes. */
  get view(): ClusterView {
    return this.stores.view;
  }

  /** The cluster as the master last described it. Rejects while Redis is unavailable. */
  getClusterState(): Promise<DetectorClusterState> {
    return readClusterState(this.stores.view, this.election, this.workerStates);
  }

  /** The callback of the application that has not answered for the longest time. */
  get pendingCall(): PendingCall | null {
    return this.options.calls.oldest;
  }

  get networks(): NetworkPolicy {
    return this.options.networks;
  }

  /** The workers as configured, or as last read. */
  get workers(): WorkerList {
    return this.options.workers;
  }

  /** What this process has delivered, sent and lost, for metrics. Never rejects; asks Redis one question. */
  async deliveryStats(): Promise<DeliveryStats> {
    const { consumer, sent } = this;
    return deliveryStats(consumer.stats(), sent, await consumer.backlog());
  }

  /** `dropped` of {@link deliveryStats} without those that come again. Without a request. */
  get droppedDetections(): number {
    return deliveryStats(this.consumer.stats(), this.sent, 0).dropped - this.sent.kept;
  }

  /** What this process has written to each log as master; null when it is not. */
  routerStats(): RouterStats | null {
    return this.terms.current?.routerStats() ?? null;
  }

  /** Connections to workers that this process keeps, open and silent, after it was master. */
  get retiredConnections(): number {
    return this.terms.retiredConnections;
  }

  /** Detections that wait in this process for Redis, from its time as master. */
  get bufferedDetections(): number {
    return this.terms.buffered;
  }

  /** Every worker as this process knows it as master; null when it is not. */
  get workerStates(): readonly WorkerConnectionState[] | null {
    return this.terms.observer?.workerStates ?? null;
  }

  /** Number of subscriptions by status, as this process knows them as master; null when it is not. Asks no server. */
  get subscriptionsByStatus(): SubscriptionsByStatus | null {
    return this.terms.observer?.subscriptionsByStatus ?? null;
  }

  /** Whether the workers are enough, as this process knows it as master; null when it is not. Makes a plan. Never rejects. */
  async capacity(): Promise<ClusterCapacity | null> {
    const plan = await this.terms.controls?.preview({ rebalance: false }).catch(() => null);
    return plan?.capacity ?? null;
  }

  /** How long this process has not been able to read detections; null while it is. Milliseconds. */
  unreadableFor(): number | null {
    return this.waitingSince === null ? this.consumer.unreadableFor() : performance.now() - this.waitingSince;
  }

  /**
   * Has this process, if it is master, read the desired state again; `reason` is for logs.
   * @param rows all rows that have changed; left out: any
   */
  regenerateSoon(reason: string, rows?: ChangedRows): void {
    this.terms.current?.regenerateSoon(reason, rows);
  }

  /** The master reads the list with each regeneration and logs its problems. Other processes read it at intervals. */
  private watchWorkers(): void {
    const { workers, timings } = this.options;
    if (!workers.changes) return;
    const refresh = () => void workers.refresh().catch(() => undefined);
    refresh();
    this.timers.workers.repeat(refresh, timings.resyncInterval);
  }

  private becomeMaster(): void {
    const { lease } = this.election;
    if (lease === null) return;
    const { connections, node, options: application, stores } = this;
    const masterTerm = new MasterTerm({ lease, connections, stores, application, node });
    this.logger.log(`this process is master (term ${lease.term})`);
    this.terms.begin(masterTerm);
  }

  private becomeSlave(graceful: boolean): void {
    if (this.terms.end(graceful))
      this.logger.log(`this process is no longer master${graceful ? ': handed over' : ''}`);
  }

  /** Has the master read the requests. If there is none, the next one reads them anyway. */
  private requestRead(): void {
    this.requests.call('regenerate', {}, { call: 'subscribeToCamera' }).catch(() => undefined);
  }

  private reportOutage(outage: NoticedOutage): void {
    this.requests
      .call('recordOutage', outage, { call: 'recordOutage', timeout: ELECTION_AFTER_OUTAGE })
      .catch((error: Error) =>
        this.logger.warn(`an outage of Redis is not in the history: ${error.message}`),
      );
  }

  private onRedisError(error: Error): void {
    this.redisWatch.failed();
    this.redisOutages.failed(error);
  }

  private onRedisReady(): void {
    this.redisOutages.connected();
    this.terms.current?.redisReturned();
  }
}
