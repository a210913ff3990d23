import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDatabase } from '@detector-cluster/dev-services';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS_DIRECTORY, applyMigrations } from './index.js';
import { withClient } from './with-client.js';

const newDatabase = () => createDatabase(process.env.DATABASE_URL!, `prisma_${randomUUID()}`);

/** Runs Prisma's own engine on a database, to check that Prisma agrees with our command. */
async function prisma<T>(url: string, command: 'apply' | 'diagnose' | 'script'): Promise<T> {
  const script = fileURLToPath(new URL('./prisma-engine.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, command], { timeout: 60_000 });
  return JSON.parse(stdout) as T;
}

const query = (url: string, sql: string) =>
  withClient(url, async (client) => (await client.query(sql)).rows as unknown[]);

/** Everything about the tables that Prisma's schema language can express, which excludes checks. */
const structure = async (url: string) => ({
  columns: await query(
    url,
    `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'
     ORDER BY c.relname, a.attname`,
  ),
  indexes: await query(
    url,
    `SELECT indexdef FROM pg_indexes
     WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY indexname`,
  ),
  constraints: await query(
    url,
    `SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')
       AND conrelid <> coalesce(to_regclass('_prisma_migrations'), 0) ORDER BY conname`,
  ),
});

const ledger = async (url: string) => ({
  columns: await query(
    url,
    `SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
     FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
  ),
  rows: await query(
    url,
    `SELECT migration_name, checksum, logs, rolled_back_at, applied_steps_count, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations ORDER BY started_at`,
  ),
});

describe('agreement with Prisma', () => {
  it('the migrations produce the schema of schema.prisma', async () => {
    const [migrated, described] = [await newDatabase(), await newDatabase()];
    await applyMigrations(migrated, MIGRATIONS_DIRECTORY);
    const { stdout } = await prisma<{ stdout: string }>(described, 'script');
    await query(described, stdout);
    const expected = await structure(described);
    expect(expected.columns.length).toBeGreaterThan(20);
    expect(await structure(migrated)).toEqual(expected);
  }, 60_000);

  it('Prisma finds nothing to do after us, and a ledger like its own', async () => {
    const url = await newDatabase();
    await applyMigrations(url, MIGRATIONS_DIRECTORY);
    expect(await prisma(url, 'apply')).toEqual({ appliedMigrationNames: [] });
    expect(await prisma(url, 'diagnose')).toMatchObject({
      editedMigrationNames: [],
      failedMigrationNames: [],
      history: null,
    });
  }, 60_000);

  it('we find nothing to do after Prisma, and would have written the same ledger', async () => {
    const [theirs, ours] = [await newDatabase(), await newDatabase()];
    const { applied: names } = await applyMigrations(ours, MIGRATIONS_DIRECTORY);
    expect(await prisma(theirs, 'apply')).toEqual({ appliedMigrationNames: names });
    expect(await applyMigrations(theirs, MIGRATIONS_DIRECTORY)).toEqual({
      applied: [],
      present: names,
      unknown: [],
    });
    expect(await ledger(ours)).toEqual(await ledger(theirs));
  }, 60_000);
});
