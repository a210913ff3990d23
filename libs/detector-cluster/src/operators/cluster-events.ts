import type { EventEmitter } from 'node:events';
import type { StateReportMessage } from '@detector-cluster/worker-protocol';
import type { AssignmentsUpdate } from './watch-assignments.js';
import type { ClusterLogger } from './worker-logger.js';

/**
 * Events of `DetectorCluster`. Worker events are emitted on the master, and `worker:detection_result` in the process that owns the
 * partition of the subscription: one with a global listener.
 */
export interface DetectorClusterEvents {
  /** A detection has been handed to the global listeners of this process. */
  'worker:detection_result': [
    event: {
      /** Always `cluster-managed`, because the application does not need to know the worker. */
      url: string;
      /** The subscription identifier. */
      cameraId: string;
      /** 1, or 0 when the worker looked and found nothing. */
      detections: number;
    },
  ];
  /** The worker has reported and takes subscriptions. */
  'worker:online': [event: { url: string }];
  /** The worker no longer reports. If it does not return, its subscriptions move 15 s later. */
  'worker:offline': [event: { url: string }];
  /** A draining worker has nothing left, so it may be stopped. */
  'worker:drained': [event: { url: string }];
  'worker:connecting': [event: { url: string }];
  /** The socket is open; the worker is not necessarily ready. */
  'worker:connected': [event: { url: string }];
  'worker:disconnected': [event: { url: string; reason: string }];
  'worker:websocket_error': [event: { url: string; error: string }];
  /** Partitions have other owners. Emitted in every process that receives the message of the master. */
  'worker:assignments_changed': [update: AssignmentsUpdate];
  'worker:state_report': [event: { url: string; report: StateReportMessage }];
}

export type WorkerEventName = Exclude<keyof DetectorClusterEvents, 'worker:detection_result'>;

type Emitter = EventEmitter<DetectorClusterEvents>;

/** All events that the master emits. The compiler checks that no name is missing. */
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

/** Passes the events of `source` on to listeners of the application. A listener that throws does not affect the master's own work. */
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
