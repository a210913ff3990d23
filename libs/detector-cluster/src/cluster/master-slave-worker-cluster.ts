import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import { MasterElection } from '@detector-cluster/master-election';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { Redis } from 'ioredis';
import { EventEmitter } from 'node:events';
import { DetectionConsumer } from '../delivery/consumer/detection-consumer.js';
import { ChannelConsumer } from '../delivery/channel/channel-consumer.js';
import { DeadLetters } from '../delivery/dead-letters/dead-letters.js';
import { DetectionListeners } from '../delivery/detection-listeners.js';
import { InterestRegistry } from '../delivery/interest/interest-registry.js';
import { DetectionRouter } from '../delivery/router/detection-router.js';
import { RouterCounters } from '../delivery/router/router-counters.js';
import { deliveryStats, type DeliveryStats } from '../delivery/stats/delivery-stats.js';
import type { RouterStats } from '../delivery/router/router-stats.js';
import { TracerSlot } from '../delivery/tracing/tracer-slot.js';
import { TransportAgreement } from '../delivery/transport-agreement.js';
import { FencedStore } from '../fence/fenced-store.js';
import { ExplicitSubscriptionStore } from '../desired/explicit/explicit-subscription-store.js';
import { CLUSTER_OPTIONS } from '../options/cluster-options.token.js';
import type { ResolvedDetectorClusterOptions } from '../options/resolve-options.js';
import type { WorkerList } from '../options/worker-list.js';
import { clusterKeys, type ClusterKeys } from '../redis/cluster-keys.js';
import { DirectiveStore } from '../control/directives/directive-store.js';
import type { MasterControls } from '../control/master-controls.js';
import { MasterRequests } from '../control/requests/master-requests.js';
import { MasterCommandServer } from '../trigger/master-command-server.js';
import { SessionPatches } from '../sessions/session-patches.js';
import { SessionStore } from '../sessions/session-store.js';
import { AssignmentPublisher } from '../state/assignment-publisher.js';
import { ReconcileFigures } from '../state/reconcile-figures.js';
import { LOG_TOPICS } from '../util/log-topics.js';
import type { DetectorClusterEvents } from './cluster-events.js';
import { describeConsumerEvent, describeRouterEvent } from './describe-event.js';
import { MasterTenure } from './master-tenure.js';

/**
 * The two roles of a backend process. As master: one `MasterTenure` per lease. In both roles: takes the detections
 * that are routed to this process and runs its callbacks.
 */
@Injectable()
export class MasterSlaveWorkerCluster
  extends EventEmitter<DetectorClusterEvents>
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  readonly keys: ClusterKeys;
  readonly redis: Redis;
  readonly callbacks = new DetectionListeners();
  readonly interests: InterestRegistry;
  readonly explicit: ExplicitSubscriptionStore;
  readonly deadLetters: DeadLetters;
  readonly sessions: SessionStore;
  readonly patches: SessionPatches;
  readonly directives: DirectiveStore;
  readonly requests: MasterRequests;
  /** What this process has done as master, for metrics. */
  readonly figures = new ReconcileFigures();
  /** Filled by the entry point `tracing`. */
  readonly tracing = new TracerSlot();
  readonly transport: TransportAgreement;

  private readonly logger = new Logger(LOG_TOPICS.coordination);
  private readonly connectionLogger = new Logger(LOG_TOPICS.connection);
  private readonly consumer: DetectionConsumer | ChannelConsumer;
  private readonly commands: MasterCommandServer;
  private readonly sent = new RouterCounters();
  private tenure: MasterTenure | null = null;
  /** The tenure once it knows what its predecessor knew: before, it has no answers. */
  private ready: MasterTenure | null = null;
  private router: DetectionRouter | null = null;
  /** Tenures that are being ended; a new one waits for them. */
  private ending: Promise<void> = Promise.resolve();
  private workersTimer: NodeJS.Timeout | undefined;
  private started = false;
  private redisOutage = false;

  constructor(
    @Inject(CLUSTER_OPTIONS) private readonly options: ResolvedDetectorClusterOptions,
    readonly election: MasterElection,
  ) {
    super();
    const { redis: source } = options;
    const processId = election.getNodeId();
    const keys = (this.keys = clusterKeys(options.keyPrefix));
    this.redis = openRedis(source, commandSettings, (error) => this.onRedisError(error));
    this.redis.on('ready', () => this.onRedisReady());
    this.explicit = new ExplicitSubscriptionStore(this.redis, keys, options.secretBox);
    this.deadLetters = new DeadLetters(this.redis, keys);
    this.sessions = new SessionStore(this.redis, keys);
    this.patches = new SessionPatches({ onFailure: (error) => this.logger.error(error.message) });
    this.directives = new DirectiveStore(this.redis, keys);
    this.requests = new MasterRequests({
      redis: source,
      publisher: this.redis,
      keys,
      processId,
      controls: () => this.controls,
      onFailure: (method, error) =>
        this.logger.error(`${method} failed: ${error instanceof Error ? error.stack : String(error)}`),
      onInvalid: () =>
        this.logger.warn(`ignored a message on ${keys.masterRequests} that is no request; further ones too`),
    });
    this.interests = new InterestRegistry({
      redis: source,
      keys,
      processId,
      subscriptions: () => this.callbacks.subscriptions(),
      onWarning: (message) => this.logger.debug(message),
    });
    const Consumer = options.delivery === 'pubsub' ? ChannelConsumer : DetectionConsumer;
    this.consumer = new Consumer({
      redis: source,
      keys,
      processId,
      listeners: this.callbacks,
      tracing: this.tracing,
      onHandled: (age) => this.figures.delivered(age),
      // Whoever took this process for gone has forgotten its listeners, too.
      onReceiving: () => this.interests.repeat(),
      onEvent: (event) =>
        event.type === 'redis-error'
          ? this.onRedisError(event.error)
          : describeConsumerEvent(event, this.logger),
    });
    this.transport = new TransportAgreement({
      redis: this.redis,
      keys,
      transport: options.delivery,
      store: () => this.ownStore(),
      onMismatch: (problem) => this.logger.error(problem),
    });
    this.commands = new MasterCommandServer({
      redis: source,
      keys,
      onCommand: (command) => {
        if (command.type === 'session_changed') this.tenure?.sessionChanged(command.displayIdentifier);
        else this.regenerateSoon(command.reason);
      },
      onInvalid: (kind) => this.logger.warn(`ignored a message on ${keys.masterCommands}: ${kind}`),
      onReconnected: () => this.regenerateSoon('reconnected'),
    });
  }

  onModuleInit(): void {
    this.election.on('master-acquired', () => this.becomeMaster());
    this.election.on('master-lost', ({ reason }) =>
      this.becomeSlave(reason === 'resigned' || reason === 'stopped'),
    );
    this.election.on('slave-registered', () => void this.tenure?.membersChanged());
    this.election.on('slave-removed', (nodeId) => void this.tenure?.membersChanged(nodeId));
  }

  onApplicationBootstrap(): void {
    this.initialize();
  }

  /** Starts taking detections and commands. Redis may still be away; idempotent. */
  initialize(): void {
    if (this.started) return;
    this.started = true;
    void this.consumer.start();
    this.commands.open();
    this.transport.start();
    this.requests.open();
    this.watchWorkers();
  }

  async beforeApplicationShutdown(): Promise<void> {
    // Leadership has been given up by now; what workers still send is read until the successor has connected.
    if (this.tenure) this.becomeSlave(true);
    await this.ending;
    await Promise.all([this.consumer.stop(), this.commands.close()]);
  }

  async onApplicationShutdown(): Promise<void> {
    this.transport.close();
    clearInterval(this.workersTimer);
    await this.interests.close();
    this.requests.close();
    closeRedis(this.redis);
  }

  /** As configured, or last read. */
  get workers(): WorkerList {
    return this.options.workers;
  }

  /** What this process has delivered, sent and lost, for metrics. Never rejects; asks Redis one question. */
  async deliveryStats(): Promise<DeliveryStats> {
    const { consumer, sent } = this;
    return deliveryStats(consumer.stats(), sent, await consumer.backlog());
  }

  /** What this process holds and has written of each process's backlog as master; null when it is not. */
  routerStats(): RouterStats | null {
    return this.tenure === null ? null : (this.router?.stats() ?? null);
  }

  /** How long this process has not been able to read detections; null while it is. Milliseconds. */
  unreadableFor(): number | null {
    return this.consumer.unreadableFor();
  }

  /** Has this process, if it is master, read the desired state again; `reason` is for logs. */
  regenerateSoon(reason: string): void {
    this.tenure?.regenerateSoon(reason);
  }

  /** What this process may do as master at this moment; null when it is not, or its lease is over. */
  private get controls(): MasterControls | null {
    const { tenure, ready } = this;
    return tenure === ready && this.election.lease?.isValid() ? ready : null;
  }

  /** The master reads the list with each regeneration, and says what is wrong with it; the others now and then. */
  private watchWorkers(): void {
    const { workers, timings } = this.options;
    if (!workers.changes) return;
    const refresh = () => void workers.refresh().catch(() => undefined);
    refresh();
    this.workersTimer = setInterval(refresh, timings.resyncInterval).unref();
  }

  private becomeMaster(): void {
    const { lease } = this.election;
    if (lease === null) return;
    const { options, keys, redis, election, logger } = this;
    const tenure = new MasterTenure({
      lease,
      nodeId: election.getNodeId(),
      keys,
      redis,
      workers: options.workers,
      source: options.source,
      explicit: this.explicit,
      sessions: this.sessions,
      directives: this.directives,
      patches: this.patches,
      modelUrls: options.modelUrls,
      hashKey: options.secretBox?.hashKey,
      placement: options.placement,
      timings: options.timings,
      createRouter: (store, isValid) => {
        const publisher = new AssignmentPublisher(store, redis, keys);
        const router: DetectionRouter = new DetectionRouter({
          redis: options.redis,
          keys,
          processId: election.getNodeId(),
          term: lease.term,
          isValid,
          counters: this.sent,
          tracing: this.tracing,
          options: { transport: options.delivery },
          persistAssignments: (assignments) => publisher.publish(assignments),
          readMembers: async () => router.setMembers(await this.members()),
          onEvent: (event) =>
            event.type === 'redis-error'
              ? this.onRedisError(event.error)
              : describeRouterEvent(event, logger),
        });
        return (this.router = router);
      },
      resign: () => {
        logger.log(`term ${lease.term} ends: its master was asked to resign`);
        return election.resign();
      },
      members: () => this.members(),
      emit: (event, ...args) => void this.emit(event, ...(args as never)),
      logger,
      connectionLogger: this.connectionLogger,
      figures: this.figures,
      tracing: this.tracing,
    });
    logger.log(`this process is master (term ${lease.term})`);
    this.tenure = tenure;
    void tenure.start().then(() => (this.ready = tenure));
    void this.transport.look();
  }

  private becomeSlave(graceful: boolean): void {
    const { tenure } = this;
    if (tenure === null) return;
    this.tenure = null;
    const end = graceful ? tenure.handOver() : tenure.abort();
    this.logger.log(`this process is no longer master${graceful ? ': handed over' : ''}`);
    this.ending = Promise.allSettled([this.ending, end]).then(() => undefined);
  }

  /** For single writes beside the tenure's; the fence refuses them as it does those. */
  private ownStore(): FencedStore | null {
    const { lease } = this.election;
    return lease?.isValid() ? new FencedStore(this.redis, this.keys.fence, lease.term) : null;
  }

  /** Redis is away or refuses: said once per outage, not once per connection and attempt. */
  private onRedisError(error: Error): void {
    if (this.redisOutage) {
      this.logger.debug(`Redis: ${error.message}`);
      return;
    }
    this.redisOutage = true;
    this.logger.warn(`Redis cannot be used (${error.message}); trying again until it can`);
  }

  private onRedisReady(): void {
    if (this.redisOutage) this.logger.log('Redis answers again');
    this.redisOutage = false;
    if (this.started) void this.transport.look();
  }

  /** Slaves take the detections; a master that is alone takes them itself. */
  private async members(): Promise<readonly string[]> {
    const slaves = await this.election.getSlaves();
    const ids = slaves.map(({ nodeId }) => nodeId).sort();
    return ids.length > 0 ? ids : [this.election.getNodeId()];
  }
}
