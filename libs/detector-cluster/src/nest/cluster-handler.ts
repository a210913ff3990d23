import { DecoratedMethods, type DecoratedMethod } from '@detector-cluster/master-election/internal';

/** Worker events that a method can be bound to by a decorator. */
export type BoundWorkerEvent = 'worker:online' | 'worker:offline';

interface Decorated {
  /** The decorator as written in the source, for messages: `@OnDetection`. */
  readonly decorator: string;
}

/** A method that gets detections. */
export interface DetectionHandler extends Decorated {
  readonly kind: 'detection';
  /** `undefined` for all detections of this process's partitions. */
  readonly subscriptionIdentifier: string | undefined;
}

/** A method that is called when the state of a worker changes. */
export interface WorkerHandler extends Decorated {
  readonly kind: 'worker';
  readonly event: BoundWorkerEvent;
}

/** The handler that a decorator makes of a method. */
export type ClusterHandler = DetectionHandler | WorkerHandler;

/** A method with a decorator of the cluster. */
export type FoundHandler = DecoratedMethod<ClusterHandler>;

/** All methods with a decorator of the cluster. */
export const CLUSTER_HANDLERS = new DecoratedMethods<ClusterHandler>();

/**
 * Calls a method with each detection, `(detection: ImageDetectionResponse, meta: DetectionMeta)`: those of one subscription,
 * as `DetectorCluster.addDetectionListener` does, in every process that has the method; or, without an argument, all of this process's
 * partitions, as `addGlobalDetectionListener` does. A returned promise is awaited. If the method throws, it is called again.
 * @param subscriptionIdentifier `<displayId>;<cameraId>`
 */
export function OnDetection(subscriptionIdentifier?: string): MethodDecorator {
  return CLUSTER_HANDLERS.add({ kind: 'detection', decorator: '@OnDetection', subscriptionIdentifier });
}

/** Calls a method with `{ url }` on the master each time a worker has reported and takes subscriptions. */
export function OnWorkerOnline(): MethodDecorator {
  return CLUSTER_HANDLERS.add({ kind: 'worker', decorator: '@OnWorkerOnline', event: 'worker:online' });
}

/** Calls a method with `{ url }` on the master each time a worker no longer reports. */
export function OnWorkerOffline(): MethodDecorator {
  return CLUSTER_HANDLERS.add({ kind: 'worker', decorator: '@OnWorkerOffline', event: 'worker:offline' });
}
