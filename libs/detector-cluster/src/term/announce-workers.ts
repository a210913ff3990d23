import { MAX_FRAME_BYTES } from '@detector-cluster/worker-protocol';
import type { EventJournal } from '../operators/event-journal.js';
import type { ReconcileFigures } from './reconcile-figures.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { DetectorClusterEvents, WorkerEventName } from '../operators/cluster-events.js';
import type { ClusterLogger } from '../operators/worker-logger.js';

export interface Announcement {
  readonly emit: <K extends WorkerEventName>(event: K, ...args: DetectorClusterEvents[K]) => void;
  /** For the sockets to workers, and the messages on them. */
  readonly connectionLogger: ClusterLogger;
  readonly figures: ReconcileFigures;
  readonly journal: EventJournal;
}

/** So many dials in a row must fail before a warning is logged. */
const FIRST_ATTEMPTS = 3;

const EXCESSES = {
  unread: 'sends faster than the master reads: its socket is paused until the master has read',
  rate: 'sends more detections than workerLimits.detectionsPerSecond: the others are dropped',
};

/**
 * Reports events of the workers to the application, the log and the figures.
 * @returns a function that forgets all workers but those that it is given
 */
export function announceWorkers(
  pool: WorkerPool,
  { emit, connectionLogger: logger, figures, journal }: Announcement,
): (workers: Iterable<string>) => void {
  const shown = (url: string) => {
    const name = pool.nameOf(url);
    return name === undefined ? url : `${name} (${url})`;
  };
  pool.on('worker:connecting', (event) => {
    figures.dialled(event.url);
    emit('worker:connecting', event);
  });
  const failures = new Map<string, number>();
  pool.on('worker:connected', (event) => {
    failures.delete(event.url);
    emit('worker:connected', event);
  });
  pool.on('worker:disconnected', (event, wasUp) => {
    const text = `the connection to worker ${shown(event.url)} is lost: ${event.reason}`;
    if (wasUp) logger.warn(text);
    else logger.debug(text);
    emit('worker:disconnected', event);
  });
  pool.on('worker:websocket_error', (event, problem) => {
    const failed = (failures.get(event.url) ?? 0) + 1;
    failures.set(event.url, failed);
    // One failure may be a restart.
    if (failed === FIRST_ATTEMPTS)
      logger.warn(`worker ${shown(event.url)} cannot be reached: ${problem}; trying again until it can`);
    else logger.debug(`worker ${shown(event.url)}: ${event.error}`);
    emit('worker:websocket_error', event);
  });
  pool.on('worker:online', (event, known) => {
    logger.log(`worker ${shown(event.url)} is online`);
    if (!known) journal.add({ type: 'worker-online', url: event.url });
    emit('worker:online', event);
  });
  pool.on('worker:offline', (event, state, reason, known) => {
    logger.warn(`worker ${shown(event.url)} is ${state === 'Suspect' ? 'suspect' : 'offline'}: ${reason}`);
    if (!known) journal.add({ type: 'worker-offline', url: event.url });
    emit('worker:offline', event);
  });
  pool.on('worker:given-up', ({ url }) =>
    logger.warn(
      `worker ${shown(url)} is offline: it did not come back, and its subscriptions may go to other workers`,
    ),
  );
  pool.on('worker:quarantined', (event) => {
    const until = new Date(event.until).toISOString();
    const why = event.reason === 'flapping' ? 'is flapping' : 'keeps sending more than its budget';
    logger.warn(`worker ${shown(event.url)} ${why}: it gets no new subscriptions until ${until}`);
    journal.add({ type: 'worker-quarantined', url: event.url, until, reason: event.reason });
  });
  pool.on('worker:state_report', (event) => emit('worker:state_report', event));
  const excessive = new Map<string, Set<string>>();
  pool.on('excess', (worker, kind) => {
    figures.exceeded(worker, kind === 'rate' ? 'dropped' : 'pauses');
    const announced = excessive.get(worker) ?? new Set();
    if (announced.has(kind)) return;
    excessive.set(worker, announced.add(kind));
    logger.warn(`worker ${shown(worker)} ${EXCESSES[kind]}; further ones are only counted`);
  });
  pool.on('listTooLong', (worker, bytes, isFirst) => {
    if (isFirst)
      logger.error(
        `the list of subscriptions for worker ${shown(worker)} takes ${bytes} bytes and a frame ${MAX_FRAME_BYTES} at most: lower its capacity`,
      );
  });
  pool.on('invalid', (worker, kind, detail, { count, isFirst }) => {
    figures.invalidFrame(worker, kind, count);
    if (isFirst)
      logger.warn(
        `worker ${shown(worker)} sent an invalid frame (${kind}): ${detail}; further ones of this kind are only counted`,
      );
  });
  return (workers) => {
    const kept = new Set(workers);
    for (const known of [failures, excessive])
      for (const worker of known.keys()) if (!kept.has(worker)) known.delete(worker);
  };
}
