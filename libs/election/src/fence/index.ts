export { fenceTableSql } from './fence-table-sql.js';
export { FencedError } from './fenced.error.js';
export { prismaSqlClient, type PrismaTransaction, type SqlClient } from './sql-client.js';
export { RedisFence, type GuardedCommand } from './redis-fence.js';
export { SqlFence, type SqlFenceOptions } from './sql-fence.js';
