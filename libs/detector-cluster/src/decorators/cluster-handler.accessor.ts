import 'reflect-metadata';
import type { ClusterHandler } from './cluster-handler.js';

const KEY = Symbol('CLUSTER_HANDLER');

/** Notes what a method handles, beside what was noted before. */
export function addClusterHandler(method: object, handler: ClusterHandler): void {
  Reflect.defineMetadata(KEY, [...clusterHandlersOf(method), handler], method);
}

/** What has been noted for a method. */
export function clusterHandlersOf(method: object): readonly ClusterHandler[] {
  return (Reflect.getMetadata(KEY, method) as ClusterHandler[] | undefined) ?? [];
}
