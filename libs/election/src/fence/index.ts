export {
  fenceTableSql,
  prismaSqlClient,
  type PrismaTransaction,
  type SqlClient,
  SqlFence,
  type SqlFenceOptions,
} from './sql-fence.js';
export { FencedError } from './fenced.error.js';
export { RedisFence, type GuardedCommand } from './redis-fence.js';
