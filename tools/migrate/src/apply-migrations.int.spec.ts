import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startPgBouncer } from '@detector-cluster/dev-services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations, markRolledBack } from './apply-migrations.js';
import { MigrationChangedError, MigrationFailedError, UnresolvedMigrationError } from './errors.js';
import { withClient } from './with-client.js';

let url: string;
let directory: string;

const add = async (name: string, sql: string) => {
  await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, name, 'migration.sql'), sql);
};
const rows = <T>(sql: string) => withClient(url, async (client) => (await client.query(sql)).rows as T[]);
const ledger = () =>
  rows<{
    migration_name: string;
    finished_at: Date | null;
    logs: string | null;
    applied_steps_count: number;
  }>('SELECT * FROM _prisma_migrations ORDER BY started_at');

beforeEach(async () => {
  url = await createDatabase(process.env.DATABASE_URL!, `migrate_${randomUUID()}`);
  directory = await mkdtemp(join(tmpdir(), 'migrations-'));
  await add('01_table', 'CREATE TABLE thing (id int PRIMARY KEY);\nINSERT INTO thing VALUES (1);\n');
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('applyMigrations', () => {
  it('applies pending migrations once, in order', async () => {
    await add('02_more', 'INSERT INTO thing VALUES (2);');
    expect(await applyMigrations(url, directory)).toEqual({
      applied: ['01_table', '02_more'],
      present: [],
      unknown: [],
    });
    await add('03_later', 'INSERT INTO thing VALUES (3);');
    expect(await applyMigrations(url, directory)).toEqual({
      applied: ['03_later'],
      present: ['01_table', '02_more'],
      unknown: [],
    });
    expect(await rows('SELECT id FROM thing ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect((await ledger()).map((entry) => entry.applied_steps_count)).toEqual([1, 1, 1]);
  });

  it('uses the schema of the URL, which it creates, and keeps a ledger in each', async () => {
    for (const schema of ['one', 'Two "2"']) {
      const there = `${url}?schema=${encodeURIComponent(schema)}`;
      expect(await applyMigrations(there, directory)).toMatchObject({ applied: ['01_table'] });
      expect(await applyMigrations(there, directory)).toMatchObject({ present: ['01_table'] });
    }
    const tables = await rows<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
       WHERE table_name IN ('thing', '_prisma_migrations') ORDER BY 1`,
    );
    expect(tables.map(({ name }) => name).toSorted()).toEqual(
      ['Two "2"', 'one'].flatMap((schema) => [`${schema}._prisma_migrations`, `${schema}.thing`]),
    );
  });

  it('uses public without a schema in the URL, although the user has a schema of its own', async () => {
    await rows(`CREATE SCHEMA "${new URL(url).username}"`);
    await applyMigrations(url, directory);
    expect(await rows('SELECT id FROM public.thing')).toEqual([{ id: 1 }]);
  });

  it.each(['transaction', 'session'] as const)(
    'refuses PgBouncer that pools by %s, before any change, and leaves no lock',
    async (mode) => {
      const pooler = await startPgBouncer(url, { mode });
      try {
        await expect(applyMigrations(pooler.through(url), directory)).rejects.toThrow(
          /pooler such as PgBouncer.*DIRECT_URL/,
        );
      } finally {
        await pooler.stop();
      }
      expect(await applyMigrations(url, directory)).toMatchObject({ applied: ['01_table'] });
    },
  );

  it('lets one of several runners work while the others wait', async () => {
    await add('02_slow', 'SELECT pg_sleep(0.3); INSERT INTO thing VALUES (2);');
    const results = await Promise.all(Array.from({ length: 4 }, () => applyMigrations(url, directory)));
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['01_table', '02_slow']);
    expect(await ledger()).toHaveLength(2);
  });

  it('gives up waiting for another runner in time', async () => {
    await withClient(url, async (other) => {
      await other.query('SELECT pg_advisory_lock(72707369)');
      await expect(applyMigrations(url, directory, { lockTimeout: 100 })).rejects.toThrow(/lock timeout/);
    });
  });

  it('refuses a script that was changed after it was applied, and does nothing', async () => {
    await applyMigrations(url, directory);
    await add('01_table', 'CREATE TABLE thing (id bigint PRIMARY KEY);');
    await add('02_more', 'INSERT INTO thing VALUES (2);');
    const attempt = applyMigrations(url, directory);
    await expect(attempt).rejects.toThrow(MigrationChangedError);
    await expect(attempt).rejects.toThrow(/01_table/);
    expect(await ledger()).toHaveLength(1);
  });

  it('ignores different line endings', async () => {
    await add('02_unix', 'SELECT 1;\nSELECT 2;\n');
    await applyMigrations(url, directory);
    await add('02_unix', 'SELECT 1;\r\nSELECT 2;\r\n');
    expect((await applyMigrations(url, directory)).present).toEqual(['01_table', '02_unix']);
  });

  it('rolls back a failing script, records the error, and applies nothing until it is resolved', async () => {
    await add('02_bad', 'INSERT INTO thing VALUES (2); INSERT INTO nowhere VALUES (1);');
    await add('03_later', 'INSERT INTO thing VALUES (3);');
    const attempt = applyMigrations(url, directory);
    await expect(attempt).rejects.toThrow(MigrationFailedError);
    await expect(attempt).rejects.toThrow(
      'migration 02_bad failed: relation "nowhere" does not exist (42P01)',
    );
    expect(await rows('SELECT id FROM thing')).toEqual([{ id: 1 }]);
    expect((await ledger())[1]).toMatchObject({
      migration_name: '02_bad',
      finished_at: null,
      logs: expect.stringContaining('nowhere'),
    });

    const next = applyMigrations(url, directory);
    await expect(next).rejects.toThrow(UnresolvedMigrationError);
    await expect(next).rejects.toThrow(/rolled-back 02_bad/);

    await add('02_bad', 'INSERT INTO thing VALUES (2);');
    await markRolledBack(url, '02_bad');
    expect((await applyMigrations(url, directory)).applied).toEqual(['02_bad', '03_later']);
    await expect(markRolledBack(url, '02_bad')).rejects.toThrow(/no failed attempt/);
  });

  it('runs a statement that must not be in a transaction', async () => {
    await add('02_index', 'CREATE INDEX CONCURRENTLY thing_id ON thing (id);');
    expect((await applyMigrations(url, directory)).applied).toContain('02_index');
    expect((await ledger())[1]).toMatchObject({ logs: null, finished_at: expect.any(Date) });
  });

  it('reports migrations that only the database has', async () => {
    await applyMigrations(url, directory);
    await rm(join(directory, '01_table'), { recursive: true });
    expect((await applyMigrations(url, directory)).unknown).toEqual(['01_table']);
  });

  it('names a folder without a script', async () => {
    await mkdir(join(directory, '02_empty'));
    await expect(applyMigrations(url, directory)).rejects.toThrow(/02_empty has no readable migration.sql/);
  });
});
