/**
 * The client extension that announces committed changes, and the desired state from a Prisma client.
 *
 * @example
 * ```ts
 * import { readPostgresUrl, SubscriptionTrigger, subscriptionTriggers } from '@detector-cluster/detector-cluster/prisma';
 * import { PrismaPg } from '@prisma/adapter-pg';
 * import { PrismaClient } from './generated/prisma/client.js';
 *
 * const { pool, schema } = readPostgresUrl(process.env.DATABASE_URL!);
 * const adapter = new PrismaPg(pool, { schema });
 * const trigger = new SubscriptionTrigger({ redis: 'redis://localhost:6379' });
 * export const prisma = new PrismaClient({ adapter }).$extends(subscriptionTriggers({ trigger }));
 * ```
 * @packageDocumentation
 */
export {
  PoolerError,
  type PostgresClientOptions,
  type PostgresDefaults,
  type PostgresPoolOptions,
  type PostgresUrl,
  PostgresUrlError,
  readPostgresUrl,
  type SessionClient,
} from '@detector-cluster/election/internal';
export { PrismaDesiredSource, type PrismaDesiredClient } from '../prisma-desired-source.js';
export { SubscriptionTrigger, type SubscriptionTriggerOptions } from '../subscription-trigger.js';
export { DEFAULT_MODELS, type WatchedModels } from './change-filter.js';
export type { SubscriptionChange, ChangeTrigger, SubscriptionTriggersOptions } from './publisher.js';
export { subscriptionTriggers } from './subscription-triggers.js';
