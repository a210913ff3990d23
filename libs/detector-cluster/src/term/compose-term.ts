import { DetectionRouter, redisRouterStores } from '@detector-cluster/delivery';
import { compareInTurn } from '../shared/hash-mirror.js';
import { CertainReads } from './certain-reads.js';
import { CommandSender } from './command-sender.js';
import type { MasterTermOptions } from './master-term.js';
import { describeRouterEvent } from './describe-event.js';
import { announceWorkers } from './announce-workers.js';
import { DrainWatch } from './drain-watch.js';
import { DetectionFilter } from './detection-filter.js';
import { ModelRollouts } from './model-rollouts.js';
import { Reconciler } from './reconciler.js';
import { MODEL_CHANGED, Regenerator } from './regenerator.js';
import { TermLoop } from './term-loop.js';
import { WorkerListUpdater } from './worker-list-updater.js';
import { Resigner } from '../operators/resigner.js';
import type { ChangedRows } from '../sources/changed-rows.js';
import { ModelFiles } from '../sources/model-files.js';
import { TermRequests } from '../sources/term-requests.js';
import { TermSeal } from '../sources/term-seal.js';
import type { FencedStore } from '@detector-cluster/election/fence';
import { PatchRequestHandler } from '../operators/patch-request-handler.js';
import { SessionSender } from '../operators/session-sender.js';
import { AssignmentPublisher } from '../operators/assignment-publisher.js';
import { ActualStateStore } from './actual-state-store.js';
import { ConnectionPublisher } from './connection-publisher.js';
import { DesiredStateStore } from './desired-state-store.js';
import { EventJournal } from '../operators/event-journal.js';
import { EventHistory } from '../operators/event-history.js';
import { MasterHeartbeat } from '../operators/master-heartbeat.js';
import { OutageRecords } from '../operators/outage-records.js';
import { PlannerStateStore } from './planner-state-store.js';
import { RebalanceRecord } from '../operators/rebalance-record.js';
import { FlapWatch } from '../workers/flap-watch.js';
import { WorkerPool } from '../workers/worker-pool.js';

export type TermParts = ReturnType<typeof composeTerm>;

/** What the parts ask of their term. */
export interface TermControls {
  readonly store: FencedStore;
  /** Whether commands may be sent and decisions written at this instant. */
  readonly mayAct: () => boolean;
  readonly resign: (reason: string) => Promise<void>;
}

/** Makes the parts of one term. Each part uses those above it; none reads, sends or connects before it is started. */
export function composeTerm(
  { application, connections: { delivery, keys, logs, redis }, lease, node, stores }: MasterTermOptions,
  { mayAct, resign, store }: TermControls,
) {
  const { calls, timings } = application;
  const { figures, logger, timers } = node;

  // The records of this master for other processes.
  const journal = new EventJournal(store, keys);
  const outages = new OutageRecords({ journal, history: new EventHistory(redis, keys) });
  const seal = new TermSeal(lease.term);
  const { publicKey: sealKey } = seal.key;
  const heartbeat = new MasterHeartbeat({
    store,
    keys,
    processId: node.id,
    sealKey,
    mayAct,
    timer: timers.heartbeat,
  });

  // Workers.
  const flaps = new FlapWatch();
  const pool = new WorkerPool({
    flaps,
    workers: application.workers.current,
    nodeId: node.id,
    term: lease.term,
    mayAct,
    limits: { silence: timings.workerSilence, eviction: timings.workerEviction },
    budget: application.workerLimits,
    onDetection: (...detection) => detectionFilter.take(...detection),
    excessOf: (worker) => figures.excessOf(worker),
  });
  const keepAnnouncing = announceWorkers(pool, { ...node, journal });
  const publisher = new ConnectionPublisher(store, keys, () => pool.states(node.id));
  const sessions = new SessionSender({
    store: stores.sessions,
    send: (worker, command, onDropped) => pool.send(worker, command, { dropped: onDropped }),
    onChange: () => loop.changed(),
    onError: (error) => logger.warn(`cannot read the sessions: ${error.message}`),
  });
  const workerList = new WorkerListUpdater({
    pool,
    list: application.workers,
    directives: stores.directives,
    redis,
    journal,
    logger,
    onChange: (ids) => {
      publisher.stateChanged();
      sessions.keep(ids);
      flaps.keep(ids);
      figures.keepWorkers(ids);
      keepAnnouncing(ids);
    },
  });
  const drains = new DrainWatch((url) => {
    logger.log(`worker ${url} is drained`);
    journal.add({ type: 'worker-drained', url });
    node.emit('worker:drained', { url });
  });

  // From the desired state to commands.
  const assignments = new AssignmentPublisher(store, redis, keys);
  const router: DetectionRouter = new DetectionRouter({
    stores: redisRouterStores(delivery, logs, store, application.delivery.acceptance?.timeout),
    keys,
    processId: node.id,
    term: lease.term,
    isValid: mayAct,
    counters: node.sent,
    tracing: node.tracing,
    options: application.delivery,
    publishAssignments: (owners, changed) => assignments.publish(owners, changed),
    readMembers: async () => {
      const { absent, ids, workloads } = await node.members();
      router.setMembers(ids, workloads, absent);
    },
    onEvent: (event) => {
      if (event.type === 'redis-error') return delivery.onError(event.error);
      if (event.type === 'buffer-dropped') figures.exceeded(event.worker, 'dropped', event.count);
      describeRouterEvent(event, logger);
    },
  });
  const requests = new TermRequests({
    explicit: stores.explicit,
    opener: seal,
    processes: node.processes,
  });
  const readRows = (rows: ChangedRows): void => regenerator.soon(MODEL_CHANGED, rows);
  const files = new ModelFiles({
    provider: application.modelUrls,
    calls,
    timeout: timings.callTimeout,
    onChange: (model, version) => {
      logger.debug(`the file of model ${model.modelId} (${model.modelName}) has version ${version}`);
      readRows({ models: [model.modelId] });
    },
  });
  const rollouts: ModelRollouts = new ModelRollouts({
    store,
    keys,
    files,
    canary: application.canary,
    desired: () => desired.entries,
    tracked: () => actual.tracked,
    journal,
    logger,
    onChange: readRows,
    signal: lease.signal,
  });
  const desired: DesiredStateStore = new DesiredStateStore(
    store,
    keys,
    application.source,
    requests,
    () => router.readListeners(),
    application.secretBox,
    application.placement,
    application.networks,
    (subscription) => rollouts.versionOf(subscription),
    new CertainReads(store, keys, (message) => logger.warn(message)),
  );
  const actual = new ActualStateStore(store, keys, (worker, id) => pool.seenAt(worker, id));
  const planner = new PlannerStateStore(store, keys);
  const rebalances = new RebalanceRecord(store, keys);
  const commands = new CommandSender({
    pool,
    actual,
    sessions,
    models: rollouts,
    logger,
  });
  const reconciler = new Reconciler({
    store,
    pool,
    flaps,
    windows: application.rebalanceWindows,
    desired,
    actual,
    planner,
    rebalances,
    rollouts,
    commands,
    figures,
    journal,
    logger,
    adoptionTimeout: timings.adoptionTimeout,
    checkInterval: timings.resyncInterval,
    onWork: (isGathered) => loop.changed(isGathered),
  });
  const loop = new TermLoop({
    reconciler,
    mayAct,
    afterSend: (workers) => {
      sessions.sync(workers);
      drains.look(workers);
      workerList.letGo();
      rollouts.passed();
    },
    logger,
  });
  const regenerator: Regenerator = new Regenerator({
    desired,
    models: rollouts,
    reconciler,
    compare: async () => {
      rebalances.invalidate();
      await rollouts.compare();
      return compareInTurn(desired, actual, planner, publisher);
    },
    readMore: () => [
      sessions.load(),
      workerList.readDirectives(),
      workerList.readList(),
      ...(desired.certain ? [rollouts.watch()] : []),
    ],
    outages,
    calls,
    timings,
    resync: timers.resync,
    requestedKey: keys.requested,
    figures,
    logger,
  });

  // Requests of workers and operators to the master.
  const detectionFilter = new DetectionFilter({
    router,
    tracked: () => actual.tracked,
    isMoving: (id, worker) => reconciler.isMoving(id, worker),
    figures,
    tracing: node.tracing,
    logger: node.connectionLogger,
  });
  const patches = new PatchRequestHandler({
    redis,
    store,
    keys,
    patches: node.patches,
    timer: timers.patches,
    isOpen: (worker) => pool.isOpen(worker),
    reply: (worker, answer) => pool.reply(worker, answer),
  });
  const resigner = new Resigner({
    store,
    redis,
    keys,
    processId: node.id,
    mayAct,
    resign: () => resign('its master was asked to resign'),
  });

  pool.on('change', () => {
    reconciler.everythingChanged();
    publisher.stateChanged();
  });
  pool.on('streams', (worker, ids) => {
    reconciler.streamsChanged(worker, ids);
    publisher.stateChanged();
  });
  pool.on('worker:connected', ({ url }) => {
    sessions.reset(url);
    void patches.connected();
  });
  pool.on('worker:disconnected', ({ url }) => sessions.reset(url));
  pool.on('worker:state_report', () => publisher.figuresChanged());
  pool.on('streams-offline', (ids, lastSeen) => actual.seen(ids, lastSeen));
  pool.on('patchSession', (worker, message) => void patches.take(worker, message));

  return {
    loop,
    journal,
    outages,
    heartbeat,
    flaps,
    pool,
    publisher,
    sessions,
    workerList,
    router,
    requests,
    desired,
    actual,
    planner,
    rebalances,
    rollouts,
    reconciler,
    regenerator,
    detectionFilter,
    patches,
    resigner,
  };
}
