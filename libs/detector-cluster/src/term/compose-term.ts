import { CommandSender } from './command-sender.js';
import type { MasterTermOptions } from './master-term.js';
import { announceWorkers, DrainWatch } from './announce-workers.js';
import { DetectionFilter } from './detection-filter.js';
import { Reconciler } from './reconciler.js';
import { Regenerator } from './regenerator.js';
import { TermLoop } from './term-loop.js';
import { WorkerListUpdater } from './worker-list-updater.js';
import { Resigner } from '../operators/resignation.js';
import { PendingModelUrls } from '../sources/fresh-model-url.js';
import { TermRequests } from '../sources/term-requests.js';
import { TermSeal } from '../sources/term-seal.js';
import type { FencedStore } from '@detector-cluster/election/fence';
import { PatchRequestHandler } from '../operators/patch-request-handler.js';
import { SessionSender } from '../operators/session-sender.js';
import { ActualStateStore } from './actual-state-store.js';
import { ConnectionPublisher } from './connection-publisher.js';
import { DesiredStateStore } from './desired-state-store.js';
import { EventHistory, EventJournal } from '../operators/event-journal.js';
import { MasterHeartbeat } from '../operators/master-heartbeat.js';
import { OutageRecords } from '../operators/outage-records.js';
import { PlannerStateStore } from './planner-state-store.js';
import { RebalanceRecord } from '../operators/rebalance-record.js';
import { FlapWatch } from '../workers/flap-watch.js';
import { WorkerPool } from '../workers/worker-pool.js';

export type TermParts = ReturnType<typeof composeTerm>;

/**
 * Makes the parts of one term. Each part uses those above it; none reads, sends or connects before it is started.
 * @param mayAct whether commands may be sent and decisions written at this instant
 */
export function composeTerm(options: MasterTermOptions, store: FencedStore, mayAct: () => boolean) {
  const { calls, explicit, figures, keys, lease, logger, nodeId, redis, source, timers, timings } = options;

  // The records of this master for other processes.
  const journal = new EventJournal(store, keys);
  const outages = new OutageRecords({ journal, history: new EventHistory(redis, keys) });
  const seal = new TermSeal(lease.term);
  const { publicKey: sealKey } = seal.key;
  const heartbeat = new MasterHeartbeat({
    store,
    keys,
    processId: nodeId,
    sealKey,
    mayAct,
    timer: timers.heartbeat,
  });

  // Workers.
  const flaps = new FlapWatch();
  const pool = new WorkerPool({
    flaps,
    workers: options.workers.current,
    nodeId,
    term: lease.term,
    mayAct,
    limits: { silence: timings.workerSilence, eviction: timings.workerEviction },
    budget: options.workerLimits,
    onDetection: (worker, message, frame, id) => detectionFilter.take(worker, message, frame, id),
    excessOf: (worker) => figures.excessOf(worker),
  });
  const keepAnnouncing = announceWorkers(pool, { ...options, journal });
  const connections = new ConnectionPublisher(store, keys, () => pool.states(nodeId));
  const sessions = new SessionSender({
    store: options.sessions,
    send: (worker, command, onDropped) => pool.send(worker, command, { dropped: onDropped }),
    onChange: () => loop.changed(),
    onError: (error) => logger.warn(`cannot read the sessions: ${error.message}`),
  });
  const workerList = new WorkerListUpdater({
    pool,
    list: options.workers,
    directives: options.directives,
    redis,
    journal,
    logger,
    onChange: (ids) => {
      connections.stateChanged();
      sessions.keep(ids);
      flaps.keep(ids);
      figures.keepWorkers(ids);
      keepAnnouncing(ids);
    },
  });
  const drains = new DrainWatch((url) => {
    logger.log(`worker ${url} is drained`);
    journal.add({ type: 'worker-drained', url });
    options.emit('worker:drained', { url });
  });

  // From the desired state to commands.
  const router = options.createRouter(store, mayAct);
  const requests = new TermRequests({ explicit, opener: seal, processes: options.processes });
  const desired = new DesiredStateStore(
    store,
    keys,
    source,
    requests,
    () => router.readListeners(),
    options.secretBox,
    options.placement,
    options.networks,
  );
  const actual = new ActualStateStore(store, keys, (worker, id) => pool.seenAt(worker, id));
  const planner = new PlannerStateStore(store, keys);
  const rebalances = new RebalanceRecord(store, keys);
  const commands = new CommandSender({
    pool,
    actual,
    sessions,
    modelUrls: new PendingModelUrls(options.modelUrls, calls, timings.callTimeout),
    logger,
  });
  const reconciler = new Reconciler({
    term: lease.term,
    pool,
    flaps,
    desired,
    actual,
    planner,
    rebalances,
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
    },
    logger,
  });
  /** What the master writes may have been lost or changed in Redis. */
  const compare = () => {
    for (const recorded of [desired, actual, planner, rebalances, connections]) recorded.invalidate();
    reconciler.everythingChanged();
  };
  const regenerator = new Regenerator({
    desired,
    reconciler,
    compare,
    readMore: () => Promise.all([sessions.load(), workerList.readDirectives(), workerList.readList()]),
    outages,
    calls,
    timings,
    resync: timers.resync,
    figures,
    logger,
  });

  // Requests of workers and operators to the master.
  const detectionFilter = new DetectionFilter({
    router,
    tracked: () => actual.tracked,
    isMoving: (id, worker) => reconciler.isMoving(id, worker),
    figures,
    tracing: options.tracing,
    logger: options.connectionLogger,
  });
  const patches = new PatchRequestHandler({
    redis,
    store,
    keys,
    patches: options.patches,
    timer: timers.patches,
    isOpen: (worker) => pool.isOpen(worker),
    reply: (worker, answer) => pool.reply(worker, answer),
  });
  const resigner = new Resigner({
    store,
    redis,
    keys,
    processId: nodeId,
    mayAct,
    resign: () => options.resign('its master was asked to resign'),
  });

  pool.on('change', () => {
    reconciler.everythingChanged();
    connections.stateChanged();
  });
  pool.on('streams', (worker, ids) => {
    reconciler.streamsChanged(worker, ids);
    connections.stateChanged();
  });
  pool.on('worker:connected', ({ url }) => {
    sessions.reset(url);
    void patches.connected();
  });
  pool.on('worker:disconnected', ({ url }) => sessions.reset(url));
  pool.on('worker:state_report', () => connections.figuresChanged());
  pool.on('streams-offline', (ids, lastSeen) => actual.seen(ids, lastSeen));
  pool.on('patchSession', (worker, message) => void patches.take(worker, message));

  return {
    loop,
    journal,
    outages,
    heartbeat,
    flaps,
    pool,
    connections,
    sessions,
    workerList,
    router,
    requests,
    desired,
    actual,
    planner,
    rebalances,
    reconciler,
    compare,
    regenerator,
    detectionFilter,
    patches,
    resigner,
  };
}
