export { fenceTableSql } from './fence-table-sql.js';
export { FencedError } from './fenced.error.js';
export { prismaSqlClient, type PrismaTransaction } from './prisma-sql-client.js';
export { RedisFence, type GuardedCommand } from './redis-fence.js';
export type { SqlClient } from './sql-client.js';
export { SqlFence, type SqlFenceOptions } from './sql-fence.js';
