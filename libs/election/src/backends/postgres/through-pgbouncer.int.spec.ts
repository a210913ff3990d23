import { randomUUID } from 'node:crypto';
import {
  startPgBouncer,
  startPostgres,
  type PgBouncerService,
  type PostgresService,
} from '@detector-cluster/dev-services';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../../../test/support/until.js';
import { isDirect, PoolerError } from '../../util/pooler.js';
import { readPostgresUrl } from '../../util/read-postgres-url.js';
import type { ElectionState } from '../../contract/election-backend.js';
import { PostgresElectionBackend } from './postgres-election-backend.js';

const setting = async (connected: pg.Client | pg.Pool, name: string) =>
  (await connected.query<{ value: string }>('select current_setting($1) as value', [name])).rows[0]!.value;

describe.each(['transaction', 'session'] as const)('through PgBouncer that pools by %s', (mode) => {
  let postgres: PostgresService;
  let pooler: PgBouncerService;
  let direct: string;
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
    // With one session in the pool, all clients share it. In the other mode each client needs one.
    pooler = await startPgBouncer(postgres.url, { mode, poolSize: mode === 'transaction' ? 1 : 10 });
    direct = await postgres.createDatabase('app');
    url = pooler.through(direct);
  });
  afterAll(() => Promise.all([pooler?.stop(), postgres?.stop()]));
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const client = async (connectionString: string) => {
    const connected = new pg.Client({ connectionString });
    closing.push(() => connected.end());
    await connected.connect();
    return connected;
  };
  const pool = (address: string, session: Record<string, string> = {}) => {
    const opened = new pg.Pool({ ...readPostgresUrl(address, { session }).pool, max: 1 });
    // A pool ends before its sessions do: the end of the database can reach them.
    opened.on('error', () => undefined);
    closing.push(() => opened.end());
    return opened;
  };
  it('a client knows that it is not connected to the server itself', async () => {
    expect(await isDirect(await client(direct))).toBe(true);
    expect(await isDirect(await client(url))).toBe(false);
  });

  it('the settings of a pool reach no other client, and a direct session has them', async () => {
    const session = { statement_timeout: '4321' };
    expect(await setting(pool(direct, session), 'statement_timeout')).toBe('4321ms');
    expect(await setting(pool(`${direct}?schema=other`), 'search_path')).toBe('"other"');
    await pool(`${url}?schema=other`, session).query('select 1');
    const other = await client(url);
    expect(await setting(other, 'statement_timeout')).toBe('0');
    expect(await setting(other, 'search_path')).toBe('"$user", public');
  });

  it('a setting of the URL that the pooler cannot keep is refused by name', async () => {
    const refused = pool(`${url}?lock_timeout=5`).query('select 1');
    await expect(refused).rejects.toThrow(PoolerError);
    await expect(refused).rejects.toThrow(/lock_timeout.*ALTER ROLE/);
    expect(await setting(pool(`${direct}?lock_timeout=5`), 'lock_timeout')).toBe('5ms');
  });

  it('candidates elect one leader and its successor, and leave nothing in the sessions of the pool', async () => {
    const lockName = randomUUID();
    const candidates = [1, 2].map((number) => candidate(`candidate-${number}`, { postgres: url, lockName }));
    await until(() => candidates.some(({ leads }) => leads()));
    const [leader, follower] = candidates.toSorted((a, b) => Number(b.leads()) - Number(a.leads()));
    await until(() => follower!.follows() === leader!.id);
    await leader!.stop();
    await until(() => follower!.leads());
    const { rows } = await (await client(url)).query('select pg_listening_channels()');
    expect(rows).toEqual([]);
  });

  it('elections in two schemas do not know each other', async () => {
    const admin = await client(direct);
    await admin.query('create schema if not exists one; create schema if not exists two');
    const [one, two] = ['one', 'two'].map((schema) =>
      candidate(schema, { postgres: `${url}?schema=${schema}`, lockName: 'same' }),
    );
    await until(() => one!.leads() && two!.leads());
    const { rows } = await admin.query(
      `select (select candidate from one.election) as one, (select candidate from two.election) as two`,
    );
    expect(rows).toEqual([{ one: 'one', two: 'two' }]);
  });

  const candidate = (id: string, options: { postgres: string; lockName: string }) => {
    const backend = new PostgresElectionBackend({ ...options, lockTtl: 3_000 });
    const abort = new AbortController();
    let state: ElectionState | undefined;
    const running = (async () => {
      for await (const next of backend.campaign({ id }, abort.signal)) state = next;
    })();
    const stop = async () => {
      abort.abort();
      await running;
      await backend.close();
    };
    closing.push(stop);
    const follows = () => (state?.role === 'follower' ? state.leaderId : null);
    return { id, follows, leads: () => state?.role === 'leader', stop };
  };
});
