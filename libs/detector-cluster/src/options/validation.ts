export { identifierProblem } from '../model/subscription-identifier.js';
export { isLoopback, NetworkPolicy } from './network-policy.js';
