import { Redis } from 'ioredis';
import pg from 'pg';

/**
 * Keys in Redis and databases that a sample has left on the servers of the tests.
 * @param number its folder's, e.g. `001`
 */
export async function leftBehindBy(number: string): Promise<string[]> {
  const redis = new Redis(process.env.REDIS_URL!);
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  try {
    const keys = await redis.keys(`sample-${number}:*`);
    await client.connect();
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const names = rows.map(({ datname }) => datname).filter((name) => name.startsWith(`sample_${number}_`));
    return [...keys, ...names];
  } finally {
    redis.disconnect();
    await client.end();
  }
}
