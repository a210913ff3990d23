export { explainSubscription } from './explain-subscription.js';
export { plan } from './plan.js';
export type * from './plan.types.js';
