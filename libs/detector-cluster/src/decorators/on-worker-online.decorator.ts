import { addClusterHandler } from './cluster-handler.accessor.js';

/** Calls a method with `{ url }` on the master each time a worker has reported and takes subscriptions. */
export function OnWorkerOnline(): MethodDecorator {
  return (_target, _name, descriptor) =>
    addClusterHandler(descriptor.value as object, {
      kind: 'worker',
      decorator: '@OnWorkerOnline',
      event: 'worker:online',
    });
}
