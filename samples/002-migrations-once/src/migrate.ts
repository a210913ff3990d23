import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { database, replica } from './config.js';

/**
 * Creates the table and fills it, in one transaction: a replica that dies during the work leaves nothing behind, and a second
 * run does no harm. Rejects when `signal` aborts, because aborted work must not count as done.
 */
export async function migrate(signal: AbortSignal): Promise<void> {
  const client = new pg.Client(database);
  // The failing query reports the error. Without a listener, a lost connection would end the process.
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
    // Simulates the time for a table that is not empty.
    await sleep(4_000, undefined, { signal });
    await client.query('COMMIT');
  } finally {
    // Rolls back an uncommitted transaction.
    await client.end();
  }
}
