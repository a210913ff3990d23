import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ClientBase, escapeIdentifier } from 'pg';
import {
  describeDatabaseError,
  MigrationChangedError,
  MigrationFailedError,
  UnresolvedMigrationError,
} from './errors.js';
import { type LedgerEntry, matchesChecksum, MigrationLedger } from './migration-ledger.js';
import { withClient } from './with-client.js';

/** `prisma/migrations` of this repository. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/** One folder of Prisma's migrations. */
interface Migration {
  /** `20251120120000_init` */
  name: string;
  sql: string;
}

/**
 * Reads `<directory>/<name>/migration.sql`, in the order of names, which is Prisma's.
 * @throws Error naming a folder without a script.
 */
async function readMigrations(directory: string): Promise<Migration[]> {
  const folders = (await readdir(directory, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return Promise.all(
    folders.map(async (name) => ({
      name,
      sql: await readFile(join(directory, name, 'migration.sql'), 'utf8').catch((error: unknown) => {
        throw new Error(`migration ${name} has no readable migration.sql in ${directory}`, { cause: error });
      }),
    })),
  );
}

/** Options of {@link applyMigrations}. */
export interface ApplyMigrationsOptions {
  /** Milliseconds to wait for another runner; 60,000 by default. */
  lockTimeout?: number;
}

/** What {@link applyMigrations} did; names in the order of application. */
export interface AppliedMigrations {
  applied: string[];
  /** Applied earlier. */
  present: string[];
  /** In the ledger but not in the directory: the database is ahead of this release. Not an error, as with Prisma. */
  unknown: string[];
}

/**
 * Applies a directory of Prisma migrations to a PostgreSQL database, like `prisma migrate deploy` and with the same ledger, so
 * that either may run after the other. Of several concurrent runners, one works and the others wait.
 *
 * Each script and its ledger entry are one transaction. A script that PostgreSQL refuses to run in a transaction
 * (`CREATE INDEX CONCURRENTLY`) runs without one, as with Prisma.
 *
 * @param databaseUrl direct address of the database: the lock needs a session, which a pooler lacks.
 * @throws PoolerError, MigrationChangedError, UnresolvedMigrationError before any change; MigrationFailedError.
 */
export async function applyMigrations(
  databaseUrl: string,
  directory: string,
  options: ApplyMigrationsOptions = {},
): Promise<AppliedMigrations> {
  const migrations = await readMigrations(directory);
  return withClient(databaseUrl, async (client, schema) => {
    const ledger = new MigrationLedger(client);
    await ledger.lock(options.lockTimeout ?? 60_000);
    await createSchema(client, schema);
    await ledger.create();
    const { pending, present, unknown } = compare(migrations, await ledger.entries());
    for (const migration of pending) await apply(client, ledger, migration);
    return { applied: pending.map(({ name }) => name), present, unknown };
  });
}

/**
 * Declares that the changes of a failed migration are undone, so that it may be applied again.
 * @throws Error if no attempt of that migration is open.
 */
export async function markRolledBack(databaseUrl: string, name: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const ledger = new MigrationLedger(client);
    await ledger.lock(60_000);
    await ledger.create();
    if ((await ledger.rolledBack(name)) === 0) throw new Error(`no failed attempt of migration ${name}`);
  });
}

/** `IF NOT EXISTS` would need the right to create schemas although the schema exists. */
async function createSchema(client: ClientBase, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`CREATE SCHEMA ${escapeIdentifier(schema)}`);
}

function compare(migrations: readonly Migration[], entries: readonly LedgerEntry[]) {
  const unresolved = entries.filter((entry) => entry.finishedAt === null && entry.rolledBackAt === null);
  if (unresolved.length > 0) throw new UnresolvedMigrationError(unresolved);
  const applied = new Map(
    entries.filter((entry) => entry.rolledBackAt === null).map((entry) => [entry.name, entry]),
  );
  const changed = migrations.filter(({ name, sql }) => {
    const entry = applied.get(name);
    return entry !== undefined && !matchesChecksum(sql, entry.checksum);
  });
  if (changed.length > 0) throw new MigrationChangedError(changed.map(({ name }) => name));
  const known = new Set(migrations.map(({ name }) => name));
  return {
    pending: migrations.filter(({ name }) => !applied.has(name)),
    present: migrations.filter(({ name }) => applied.has(name)).map(({ name }) => name),
    unknown: [...applied.keys()].filter((name) => !known.has(name)),
  };
}

const ACTIVE_TRANSACTION = '25001';

async function apply(client: ClientBase, ledger: MigrationLedger, { name, sql }: Migration): Promise<void> {
  const id = await ledger.started(name, sql);
  try {
    await transaction(client, async () => {
      await client.query(sql);
      await ledger.finished(id);
    }).catch(async (error: unknown) => {
      if ((error as { code?: string }).code !== ACTIVE_TRANSACTION) throw error;
      await client.query(sql);
      await ledger.finished(id);
    });
  } catch (error) {
    // The connection itself may have failed. Then the open entry is enough.
    await ledger.failed(id, describeDatabaseError(error)).catch(() => undefined);
    throw new MigrationFailedError(name, error);
  }
}

async function transaction(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
