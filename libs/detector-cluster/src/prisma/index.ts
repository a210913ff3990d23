export { PrismaDesiredSource, type PrismaDesiredClient } from '../desired/prisma-desired-source.js';
export { SubscriptionTrigger, type SubscriptionTriggerOptions } from '../trigger/subscription-trigger.js';
export { DEFAULT_MODELS, type WatchedModels } from './change-filter.js';
export type { SubscriptionChange, ChangeTrigger, SubscriptionTriggersOptions } from './publisher.js';
export { subscriptionTriggers } from './subscription-triggers.js';
