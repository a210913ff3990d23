import type { ReconcileFigures } from '../state/reconcile-figures.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { DetectorClusterEvents, WorkerEventName } from './cluster-events.js';
import type { ClusterLogger } from './cluster-logger.js';

export interface Announcement {
  readonly emit: <K extends WorkerEventName>(event: K, ...args: DetectorClusterEvents[K]) => void;
  /** For sockets to workers and what comes over them. */
  readonly connectionLogger: ClusterLogger;
  readonly figures: ReconcileFigures;
}

/** Tells application, log and figures what happens to the workers. */
export function announceWorkers(
  pool: WorkerPool,
  { emit, connectionLogger: logger, figures }: Announcement,
): void {
  pool.on('worker:connecting', (event) => emit('worker:connecting', event));
  pool.on('worker:connected', (event) => emit('worker:connected', event));
  pool.on('worker:disconnected', (event) => {
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
  pool.on('worker:quarantined', (event) => {
    logger.warn(
      `worker ${event.url} comes and goes: it gets nothing new until ${new Date(event.until).toISOString()}`,
    );
  });
  pool.on('worker:state_report', (event) => emit('worker:state_report', event));
  pool.on('invalid', (worker, kind, detail, isFirst) => {
    figures.invalidFrame(kind);
    if (isFirst)
      logger.warn(
        `worker ${worker} sent an invalid frame (${kind}): ${detail}; further ones of this kind are counted only`,
      );
  });
}
