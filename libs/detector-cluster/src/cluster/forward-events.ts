import type { EventEmitter } from 'node:events';
import type { DetectorClusterEvents, WorkerEventName } from './cluster-events.js';
import type { ClusterLogger } from './cluster-logger.js';

type Emitter = EventEmitter<DetectorClusterEvents>;

/** All that the master emits. Every name is here: the compiler sees to it. */
const forwarded: Readonly<Record<WorkerEventName, true>> = {
  'worker:online': true,
  'worker:offline': true,
  'worker:drained': true,
  'worker:connecting': true,
  'worker:connected': true,
  'worker:disconnected': true,
  'worker:websocket_error': true,
  'worker:assignments_changed': true,
  'worker:state_report': true,
};

/** Passes the events of `source` on to listeners of the application: one that throws does not reach the master's own work. */
export function forwardEvents(source: Emitter, target: Emitter, logger: Pick<ClusterLogger, 'error'>): void {
  for (const event of Object.keys(forwarded) as WorkerEventName[])
    source.on(event, (...args: unknown[]) => emitSafely(target, logger, event, ...(args as never)));
}

/** Never throws: an error of a listener is logged. */
export function emitSafely<K extends keyof DetectorClusterEvents>(
  target: Emitter,
  logger: Pick<ClusterLogger, 'error'>,
  event: K,
  ...args: DetectorClusterEvents[K]
): void {
  try {
    target.emit(event, ...(args as never));
  } catch (error) {
    logger.error(`a listener of ${event} threw: ${(error as Error).message}`);
  }
}
