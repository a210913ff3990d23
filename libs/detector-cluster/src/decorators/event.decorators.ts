import { addClusterHandler } from './cluster-handler.js';

/**
 * Calls a method with each detection, `(detection: ImageDetectionResponse, meta: DetectionMeta)`: those of one subscription,
 * as `DetectorCluster.addDetectionListener` does, in every process that has the method; or, without an argument, all whose
 * owner this process is, as `addGlobalDetectionListener` does. A promise it returns is waited for; when it throws it is
 * called again.
 * @param subscriptionIdentifier `<displayId>;<cameraId>`
 */
export function OnDetection(subscriptionIdentifier?: string): MethodDecorator {
  return (_target, _name, descriptor) =>
    addClusterHandler(descriptor.value as object, {
      kind: 'detection',
      decorator: '@OnDetection',
      subscriptionIdentifier,
    });
}

/** Calls a method with `{ url }` on the master each time a worker has reported and takes subscriptions. */
export function OnWorkerOnline(): MethodDecorator {
  return (_target, _name, descriptor) =>
    addClusterHandler(descriptor.value as object, {
      kind: 'worker',
      decorator: '@OnWorkerOnline',
      event: 'worker:online',
    });
}

/** Calls a method with `{ url }` on the master each time a worker no longer reports. */
export function OnWorkerOffline(): MethodDecorator {
  return (_target, _name, descriptor) =>
    addClusterHandler(descriptor.value as object, {
      kind: 'worker',
      decorator: '@OnWorkerOffline',
      event: 'worker:offline',
    });
}
