/**
 * Refuses writes of earlier terms, in Redis or in a database.
 *
 * @example
 * ```ts
 * import { RedisFence } from '@detector-cluster/election/fence';
 * import { Redis } from 'ioredis';
 *
 * const fence = new RedisFence(new Redis(), 'orders:fence');
 * await fence.write(7, [['SET', 'orders:next', '1']]); // of the leader's term
 * ```
 * @packageDocumentation
 */
export {
  fenceTableSql,
  prismaSqlClient,
  type PrismaTransaction,
  type SqlClient,
  SqlFence,
  type SqlFenceOptions,
} from './sql-fence.js';
export { FencedError, UnreadableFenceError } from './fenced.error.js';
export { RedisFence, type GuardedCommand } from './redis-fence.js';
export { FencedStore, type FencedStoreHooks } from './fenced-store.js';
