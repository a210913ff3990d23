export { explainSubscription, plan } from './plan.js';
export type * from './plan.types.js';
