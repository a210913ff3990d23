import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { databaseAddress, dropDatabase, withPostgres } from '@detector-cluster/dev-services';
import { MIGRATIONS_DIRECTORY, applyMigrations } from '@detector-cluster/migrate';
import type pg from 'pg';

/** A migrated, empty database of one test. */
export interface TestDatabase {
  url: string;
  /** Removes it; connections that are still open are cut. */
  drop(): Promise<void>;
}

/** Serialises the making of the template; any number no other program locks on. */
const TEMPLATE_LOCK = 484_210_377;

/**
 * Makes a database of its own on the server of DATABASE_URL, as a copy of a template that is migrated once per server
 * and set of migrations. Parallel tests may call it at the same time.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env.DATABASE_URL;
  if (!server) throw new Error('DATABASE_URL is not set: run this test in the integration or e2e project');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withPostgres(server, async (client) => {
    const template = await migratedTemplate(server, client);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return {
    url: databaseAddress(server, name),
    drop: () => dropDatabase(server, name),
  };
}

/** Named after the migrations' content. Complete once it has that name, for a copy cannot be made while it is in use. */
async function migratedTemplate(server: string, client: pg.Client): Promise<string> {
  const name = `template_${digestOfMigrations()}`;
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) {
      await client.query(`DROP DATABASE IF EXISTS ${name}_new WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${name}_new`);
      await applyMigrations(databaseAddress(server, `${name}_new`), MIGRATIONS_DIRECTORY);
      await client.query(`ALTER DATABASE ${name}_new RENAME TO ${name}`);
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return name;
}

function digestOfMigrations(): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(MIGRATIONS_DIRECTORY, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  ))
    if (entry.isDirectory())
      hash.update(entry.name).update(readFileSync(join(MIGRATIONS_DIRECTORY, entry.name, 'migration.sql')));
  return hash.digest('hex').slice(0, 16);
}
