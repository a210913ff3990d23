/**
 * What the module accepts as an identifier or an address, for programs that check input themselves.
 *
 * @example
 * ```ts
 * import { identifierProblem, NetworkPolicy } from '@detector-cluster/detector-cluster/validation';
 *
 * console.log(identifierProblem('camera-001')); // null: it is valid
 * console.log(NetworkPolicy.default.problemOf('rtsp://169.254.169.254/')); // must not be a link-local address …
 * ```
 * @packageDocumentation
 */
export { plainTextProblem } from '@detector-cluster/placement/internal';
export { identifierProblem } from '@detector-cluster/placement/internal';
export { RebalanceWindows } from './rebalance-windows.js';
export { isLoopback, NetworkPolicy } from '../shared/network-policy.js';
export { workerProblems } from '../workers/worker-definition.js';
