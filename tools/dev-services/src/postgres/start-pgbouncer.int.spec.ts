import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAlive } from '../support/process-state.js';
import { startPgBouncer } from './start-pgbouncer.js';
import { startPostgres, type PostgresService } from './start-postgres.js';

let postgres: PostgresService;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

/** The sessions of the server that each of two clients gets, one after the other. */
const sessions = async (url: string) => {
  const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  const pids: number[] = [];
  for (const client of clients) {
    await client.connect();
    pids.push((await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid);
  }
  for (const client of clients) await client.end();
  return new Set(pids).size;
};

it.each([
  ['transaction', 1],
  ['session', 2],
] as const)('startPgBouncer that pools by %s gives two clients %i sessions', async (mode, expected) => {
  const pooler = await startPgBouncer(postgres.url, { mode });
  const database = await postgres.createDatabase(mode);
  expect(await sessions(pooler.through(database))).toBe(expected);
  await pooler.restart();
  expect(await sessions(pooler.through(database))).toBe(expected);
  await pooler.stop();
  expect(isAlive(pooler.pid)).toBe(false);
});

it('refuses what its defaults refuse', async () => {
  const pooler = await startPgBouncer(postgres.url, { mode: 'transaction' });
  const client = new pg.Client({ connectionString: pooler.url, statement_timeout: 1_000 });
  await expect(client.connect()).rejects.toThrow('unsupported startup parameter: statement_timeout');
  await pooler.stop();
});
