import 'reflect-metadata';

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

const KEY = Symbol('CLUSTER_HANDLER');

/** A decorator that adds a handler to those that were noted for the method before. */
const addClusterHandler =
  (handler: ClusterHandler): MethodDecorator =>
  (_target, _name, descriptor) => {
    const method = descriptor.value as object;
    Reflect.defineMetadata(KEY, [...clusterHandlersOf(method), handler], method);
  };

/** The metadata of a method. */
export function clusterHandlersOf(method: object): readonly ClusterHandler[] {
  return (Reflect.getMetadata(KEY, method) as ClusterHandler[] | undefined) ?? [];
}

/** A decorated method of an instance. */
export interface FoundHandler {
  readonly handler: ClusterHandler;
  /** `Class.method`. */
  readonly label: string;
  /** Calls the method on its instance. */
  readonly invoke: (...args: unknown[]) => unknown;
}

/**
 * Calls a method with each detection, `(detection: ImageDetectionResponse, meta: DetectionMeta)`: those of one subscription,
 * as `DetectorCluster.addDetectionListener` does, in every process that has the method; or, without an argument, all of this process's
 * partitions, as `addGlobalDetectionListener` does. A returned promise is awaited. If the method throws, it is called again.
 * @param subscriptionIdentifier `<displayId>;<cameraId>`
 */
export function OnDetection(subscriptionIdentifier?: string): MethodDecorator {
  return addClusterHandler({ kind: 'detection', decorator: '@OnDetection', subscriptionIdentifier });
}

/** Calls a method with `{ url }` on the master each time a worker has reported and takes subscriptions. */
export function OnWorkerOnline(): MethodDecorator {
  return addClusterHandler({ kind: 'worker', decorator: '@OnWorkerOnline', event: 'worker:online' });
}

/** Calls a method with `{ url }` on the master each time a worker no longer reports. */
export function OnWorkerOffline(): MethodDecorator {
  return addClusterHandler({ kind: 'worker', decorator: '@OnWorkerOffline', event: 'worker:offline' });
}
