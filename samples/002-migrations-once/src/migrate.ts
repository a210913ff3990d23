import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseUrl, replica } from './config.js';

/**
 * Makes the table and fills it. In one transaction, so that a replica that dies over it leaves nothing behind, and so that
 * it does no harm when it is run again. Rejects when `signal` aborts: what was told to end must not look as if it were done.
 */
export async function migrate(signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The query that fails says so; without a listener a lost connection would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    console.log('migrates');
    await client.query('BEGIN');
    await client.query('CREATE TABLE IF NOT EXISTS plate (text text PRIMARY KEY)');
    await client.query('CREATE TABLE IF NOT EXISTS migration_run (id serial PRIMARY KEY, replica text)');
    await client.query(
      `INSERT INTO plate SELECT 'AB ' || n FROM generate_series(1, 1000) n ON CONFLICT DO NOTHING`,
    );
    await client.query('INSERT INTO migration_run (replica) VALUES ($1)', [replica]);
    // As long as a table takes that is not empty.
    await sleep(1_500, undefined, { signal });
    await client.query('COMMIT');
  } finally {
    // Rolls back what was not committed.
    await client.end();
  }
}
