import { addClusterHandler } from './cluster-handler.accessor.js';

/** Calls a method with `{ url }` on the master each time a worker no longer reports. */
export function OnWorkerOffline(): MethodDecorator {
  return (_target, _name, descriptor) =>
    addClusterHandler(descriptor.value as object, {
      kind: 'worker',
      decorator: '@OnWorkerOffline',
      event: 'worker:offline',
    });
}
