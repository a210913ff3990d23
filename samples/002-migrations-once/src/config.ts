import { hostname } from 'node:os';

export const redisUrl = process.env.REDIS_URL ?? 'redis://localhost:6379';
const databaseUrl = process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres';
const schema = new URL(databaseUrl).searchParams.get('schema');
export const replica = process.env.REPLICA ?? hostname();

/** Options of `pg`, which ignores the parameter `schema` of the URL. Prisma and other libraries read it. */
export const database = {
  connectionString: databaseUrl,
  ...(schema !== null && { options: `-c search_path=${escaped(schema)}` }),
};

/** A quoted name of SQL, as PostgreSQL reads it in its options. */
function escaped(name: string): string {
  return `"${name.replaceAll('"', '""')}"`.replaceAll(/[\\\s]/g, '\\$&');
}
