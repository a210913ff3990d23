import { createDatabase } from '@detector-cluster/dev-services';
import { PrismaPg } from '@prisma/adapter-pg';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PrismaClient } from '../../../../apps/cms-backend/src/generated/prisma/client.js';
import { eventually } from '../testing/eventually.js';
import { fenceTableSql, prismaSqlClient, SqlFence } from './sql-fence.js';
import { FencedError } from './fenced.error.js';

const name = `fence_${randomUUID().replaceAll('-', '')}`;
const serverUrl = process.env.DATABASE_URL!;
const OLD = 1_700_000_000_001;
const NEW = 1_700_000_000_002;

let pool: pg.Pool;
let prisma: PrismaClient;

beforeAll(async () => {
  const url = await createDatabase(serverUrl, name);
  pool = new pg.Pool({ connectionString: url, max: 20 });
  pool.on('error', () => undefined);
  await pool.query(fenceTableSql());
  await pool.query(fenceTableSql());
  await pool.query('CREATE TABLE written (id bigserial PRIMARY KEY, resource text, term bigint)');
  prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
});

afterAll(async () => {
  await prisma.$disconnect();
  await pool.end();
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  await admin.end();
});

/** A transaction on a separate connection, until it is finished. */
async function begin(level = 'READ COMMITTED') {
  const tx = await pool.connect();
  await tx.query(`BEGIN ISOLATION LEVEL ${level}`);
  return Object.assign(tx, {
    finish: async (how: 'COMMIT' | 'ROLLBACK') => {
      await tx.query(how);
      tx.release();
    },
  });
}

/** Whether some transaction waits for another one. */
async function waiting(): Promise<boolean> {
  const { rows } = await pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'",
    [name],
  );
  return rows.length > 0;
}

describe('SqlFence', () => {
  let resource: string;
  let fence: SqlFence;

  beforeEach(() => {
    resource = `resource-${randomUUID()}`;
    fence = new SqlFence(resource);
  });

  const write = (tx: pg.ClientBase, term: number) =>
    tx.query('INSERT INTO written (resource, term) VALUES ($1, $2)', [resource, term]);
  const written = async () => {
    const { rows } = await pool.query('SELECT term FROM written WHERE resource = $1 ORDER BY id', [resource]);
    return rows.map(({ term }) => Number(term));
  };
  const inTransaction = async (term: number, level?: string) => {
    const tx = await begin(level);
    try {
      await fence.guard(tx, term);
      await write(tx, term);
    } catch (error) {
      await tx.finish('ROLLBACK');
      throw error;
    }
    await tx.finish('COMMIT');
  };
  const inPrisma = (term: number) =>
    prisma.$transaction(async (tx) => {
      await fence.guard(prismaSqlClient(tx), term);
      await tx.$executeRaw`INSERT INTO written (resource, term) VALUES (${resource}, ${term})`;
    });

  it('lets terms through as they rise, and no earlier one after a later', async () => {
    await inTransaction(OLD);
    await inTransaction(OLD);
    await inTransaction(NEW);
    await expect(inTransaction(OLD)).rejects.toThrow(FencedError);
    await expect(inTransaction(OLD)).rejects.toMatchObject({ code: 'FENCED', term: OLD, fence: NEW });
    expect(await written()).toEqual([OLD, OLD, NEW]);
  });

  it('distinguishes resources', async () => {
    await inTransaction(NEW);
    const tx = await begin();
    await new SqlFence(`${resource}-2`).guard(tx, OLD);
    await tx.finish('COMMIT');
  });

  it('makes a later term wait for a transaction of an earlier term that passed the fence', async () => {
    await inTransaction(OLD);
    const old = await begin();
    await fence.guard(old, OLD);
    const later = inTransaction(NEW);
    await eventually('the later term waits', 10_000, waiting);
    await write(old, OLD);
    await old.finish('COMMIT');
    await later;
    expect(await written()).toEqual([OLD, OLD, NEW]);
  });

  it('makes an earlier term wait for a later one, and then refuses it', async () => {
    await inTransaction(OLD);
    const later = await begin();
    await fence.guard(later, NEW);
    const refused = expect(inTransaction(OLD)).rejects.toThrow(FencedError);
    await eventually('the earlier term waits', 10_000, waiting);
    await later.finish('COMMIT');
    await refused;
  });

  it('lets an earlier term continue when the later one was rolled back', async () => {
    await inTransaction(OLD);
    const later = await begin();
    await fence.guard(later, NEW);
    const old = inTransaction(OLD);
    await eventually('the earlier term waits', 10_000, waiting);
    await later.finish('ROLLBACK');
    await old;
    expect(await written()).toEqual([OLD, OLD]);
  });

  it('does not make transactions of the same term wait for each other', async () => {
    await inTransaction(OLD);
    const first = await begin();
    const second = await begin();
    await fence.guard(first, OLD);
    await second.query("SET LOCAL lock_timeout = '5s'");
    await fence.guard(second, OLD);
    await write(second, OLD);
    await second.finish('COMMIT');
    await first.finish('COMMIT');
  });

  it.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])(
    'commits nothing of an earlier term after a later one under %s, in any order of many transactions',
    async (level) => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 200 }, (_, i) => {
          const term = OLD + Math.floor(i / 50) + Math.floor(Math.random() * 3);
          return inTransaction(term, level);
        }),
      );
      for (const outcome of outcomes)
        if (outcome.status === 'rejected' && !(outcome.reason instanceof FencedError))
          expect(outcome.reason).toMatchObject({ code: '40001' });
      const terms = await written();
      expect(terms.length).toBeGreaterThan(0);
      expect(terms).toEqual([...terms].sort((a, b) => a - b));
    },
    60_000,
  );

  it('guards a transaction of Prisma', async () => {
    await inPrisma(OLD);
    await inPrisma(OLD);
    await inPrisma(NEW);
    await expect(inPrisma(OLD)).rejects.toMatchObject({ code: 'FENCED', fence: NEW });
    expect(await written()).toEqual([OLD, OLD, NEW]);
  });

  it('creates its table in the configured schema', async () => {
    await pool.query('CREATE SCHEMA "Other"');
    await pool.query(fenceTableSql('Other.fences'));
    const elsewhere = new SqlFence(resource, { table: 'Other.fences' });
    const tx = await begin();
    await elsewhere.guard(tx, NEW);
    await expect(elsewhere.guard(tx, OLD)).rejects.toThrow(FencedError);
    await tx.finish('COMMIT');
  });

  it('names the problem', async () => {
    expect(() => new SqlFence('')).toThrow(/name must not be empty/);
    expect(() => new SqlFence('x', { table: 'a"; DROP TABLE b' })).toThrow(
      /table must be the name of a table/,
    );
    const tx = await begin();
    await expect(fence.guard(tx, 0.5)).rejects.toThrow(/^term must be a positive whole number/);
    await tx.finish('ROLLBACK');
  });
});
