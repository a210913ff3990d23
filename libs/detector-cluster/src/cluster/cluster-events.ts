import type { StateReportMessage } from '@detector-cluster/worker-protocol';
import type { AssignmentsUpdate } from '../state/assignment-watch.js';

/** Events of `DetectorCluster`. Worker events come on the master, `worker:detection_result` where a callback ran. */
export interface DetectorClusterEvents {
  /** A detection has been handed to this process's callbacks. */
  'worker:detection_result': [
    event: {
      /** Always `cluster-managed`: which worker it was is not the application's business. */
      url: string;
      /** The subscription identifier. */
      cameraId: string;
      /** 1, or 0 when the worker looked and found nothing. */
      detections: number;
    },
  ];
  /** The worker has reported and takes subscriptions. */
  'worker:online': [event: { url: string }];
  /** The worker is no longer heard of. Its subscriptions move 15 s later, if it stays away. */
  'worker:offline': [event: { url: string }];
  /** A worker that is being drained has nothing left: it may be stopped. */
  'worker:drained': [event: { url: string }];
  'worker:connecting': [event: { url: string }];
  /** The socket is open; the worker is not necessarily ready. */
  'worker:connected': [event: { url: string }];
  'worker:disconnected': [event: { url: string; reason: string }];
  'worker:websocket_error': [event: { url: string; error: string }];
  /** Partitions have other owners. In every process that the message of the master reaches. */
  'worker:assignments_changed': [update: AssignmentsUpdate];
  'worker:state_report': [event: { url: string; report: StateReportMessage }];
}

export type WorkerEventName = Exclude<keyof DetectorClusterEvents, 'worker:detection_result'>;
