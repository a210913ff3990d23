/**
 * The client extension that announces committed changes, and the desired state from a Prisma client.
 *
 * @example
 * ```ts
 * import { SubscriptionTrigger, subscriptionTriggers } from '@detector-cluster/detector-cluster/prisma';
 * import { PrismaPg } from '@prisma/adapter-pg';
 * import { PrismaClient } from './generated/prisma/client.js';
 *
 * const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL });
 * const trigger = new SubscriptionTrigger({ redis: 'redis://localhost:6379' });
 * export const prisma = new PrismaClient({ adapter }).$extends(subscriptionTriggers({ trigger }));
 * ```
 * @packageDocumentation
 */
export { PrismaDesiredSource, type PrismaDesiredClient } from '../desired/prisma-desired-source.js';
export { SubscriptionTrigger, type SubscriptionTriggerOptions } from '../trigger/subscription-trigger.js';
export { DEFAULT_MODELS, type WatchedModels } from './change-filter.js';
export type { SubscriptionChange, ChangeTrigger, SubscriptionTriggersOptions } from './publisher.js';
export { subscriptionTriggers } from './subscription-triggers.js';
