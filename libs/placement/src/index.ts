/**
 * The planner: which worker runs which subscription, without a cluster.
 *
 * @example
 * ```ts
 * import { plan } from '@detector-cluster/placement';
 *
 * const idle = { cpu: 10, memory: 20, gpu: null, gpuMemory: null };
 * const { actions } = plan({
 *   units: [{ unitId: 'camera-001', subscriptions: ['display-001;camera-001'], cost: 1 }],
 *   workers: [{ url: 'ws://worker1:8000', state: 'Ready', ...idle }],
 *   placements: new Map(),
 * });
 * console.log(actions); // one: camera-001 is placed on worker1
 * ```
 * @packageDocumentation
 */
export type { Capacity } from './planner/capacity.js';
export { explainSubscription, plan } from './planner/plan.js';
export type * from './planner/plan.types.js';
