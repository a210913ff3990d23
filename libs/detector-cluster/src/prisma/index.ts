export { DEFAULT_MODELS, type WatchedModels } from './change-filter.js';
export type { ChangedRows } from '../desired/changed-rows.js';
export type { SubscriptionChange, ChangeTrigger, SubscriptionTriggersOptions } from './publisher.js';
export { subscriptionTriggers } from './subscription-triggers.js';
export { SubscriptionTrigger, type SubscriptionTriggerOptions } from '../trigger/subscription-trigger.js';
