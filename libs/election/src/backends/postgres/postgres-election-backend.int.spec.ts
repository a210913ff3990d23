import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { type PostgresService, startPostgres } from '@detector-cluster/dev-services';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { POSTGRES_TIMING } from '../../test-support/postgres-harness.js';
import { checkHistory } from '../../testing/check-history.js';
import { eventually } from '../../testing/eventually.js';
import { Participant } from '../../testing/participant.js';
import { watchStandstill } from '../../testing/watch-standstill.js';
import { PostgresLease } from './postgres-lease.js';
import { CHANNEL, electionTableSql } from './postgres-lease-store.js';
import { PostgresElectionBackend } from './postgres-election-backend.js';
import type { PostgresElectionOptions } from './postgres-election-options.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** For what happens soon, on machines that are busy. Milliseconds. */
const TIMEOUT = 15_000;

const leads = (participant: Participant) => eventually('leads', TIMEOUT, () => participant.leads);
const follows = (participant: Participant, leader: Participant) =>
  eventually('follows', TIMEOUT, () => participant.elector.leaderId === leader.id);

describe('PostgresElectionBackend on a dedicated server', () => {
  let server: PostgresService;
  let lockName: string;
  let participants: Participant[];
  let errors: (Error & { code?: string })[];
  let reasons: string[];
  let proxy: TcpProxy | undefined;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    lockName = `election-${randomUUID()}`;
    [participants, errors, reasons] = [[], [], []];
  });
  afterEach(async () => {
    await Promise.all(participants.map(({ elector }) => elector.stop()));
    await Promise.all(participants.map(({ backend }) => backend.close()));
    await proxy?.stop();
    expect(checkHistory(participants.flatMap(({ grants }) => grants))).toEqual([]);
  });

  const enter = (options: Partial<PostgresElectionOptions> = {}): Participant => {
    const participant = new Participant(
      new PostgresElectionBackend({ postgres: server.url, lockName, ...POSTGRES_TIMING, ...options }),
    );
    participant.elector.on('error', (error) => errors.push(error));
    participant.elector.on('acquired', ({ reason }) => reasons.push(reason));
    participants.push(participant);
    participant.elector.start();
    return participant;
  };
  /** The second error, without those that a busy machine causes. */
  const failure = () =>
    eventually('an error', TIMEOUT, () => errors.filter(({ code }) => code !== 'TIMEOUT')[1]);
  const sql = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client(server.url);
    await client.connect();
    try {
      return (await client.query(text, values)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };

  it('keeps one row with the term and the lease, and says why a term began', async () => {
    const first = enter();
    await leads(first);
    const [row] = await sql(
      'SELECT *, extract(epoch FROM expires_at - now()) AS left FROM election WHERE name = $1',
      [lockName],
    );
    expect([Number(row!.term), row!.candidate]).toEqual([first.elector.term, first.id]);
    expect(Number(row!.left)).toBeLessThanOrEqual(POSTGRES_TIMING.lockTtl / 1_000);
    const second = enter();
    await follows(second, first);
    await first.elector.resign();
    await leads(second);
    expect(reasons).toEqual(['vacant', 'released']);
  });

  it('notifies the others by NOTIFY, long before they look', async () => {
    const slow = { lockTtl: 60_000, heartbeatInterval: 20_000, checkInterval: 60_000 };
    const first = enter(slow);
    await leads(first);
    const second = enter(slow);
    await follows(second, first);
    await sql(`SELECT pg_notify('${CHANNEL}', payload) FROM unnest($1::text[]) AS payload`, [
      [
        '',
        'null',
        '{',
        '{"name":"another","term":9,"candidate":"x"}',
        JSON.stringify({ name: lockName, term: 'x' }),
      ],
    ]);
    await first.elector.stop();
    await leads(second);
    expect(errors).toEqual([]);
  });

  it('makes one table when many candidates create it at the same moment', async () => {
    const clients = Array.from({ length: 12 }, () => new pg.Client(server.url));
    await Promise.all(clients.map((client) => client.connect()));
    try {
      for (let round = 0; round < 5; round++) {
        const table = `many_${randomUUID().slice(0, 8)}`;
        const create = (client: pg.Client) => {
          const query = async <Row extends object>(text: string, values: unknown[] = []) =>
            (await client.query<Row>(text, values)).rows;
          const lease = new PostgresLease({ query }, { table, name: lockName, channel: CHANNEL });
          return lease.ensureTable(electionTableSql(table));
        };
        await Promise.all(clients.map(create));
        expect(await sql(`SELECT * FROM ${table}`)).toEqual([]);
      }
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });

  it('steps down when its row is taken away, and rises above the terms that it knows', async () => {
    const first = enter();
    await leads(first);
    const { term } = first.elector;
    await sql('DELETE FROM election WHERE name = $1', [lockName]);
    await eventually('leads again', TIMEOUT, () => first.leads && first.elector.term > term);
    expect(first.events[1]).toBe('lost refused');
  });

  it('keeps its lease through a restart of the server, and through the loss of its connection', async () => {
    // Longer than a server takes to restart on a busy machine.
    const first = enter({ lockTtl: 30_000 });
    await leads(first);
    const { lease } = first.elector;
    const since = async (what: string) => {
      const now = performance.now();
      await eventually(what, TIMEOUT, () => first.grants.at(-1)!.sentAt > now);
    };
    await server.restart();
    await since('renewed after a restart');
    await sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      'election',
    ]);
    await since('renewed over another connection');
    expect(first.elector.lease).toBe(lease);
    expect(errors.length).toBeGreaterThan(0);
  });

  it('steps down at the end of its lease when the server freezes, and leads again after it', async () => {
    const first = enter();
    await leads(first);
    const standstill = watchStandstill();
    server.pause();
    try {
      await eventually('lost', TIMEOUT, () => first.events.length > 1);
      expect(first.events[1]).toBe('lost expired');
      // If this process stands still until the lease has ended, the first call that times out is the release.
      const expected = standstill.end() ? ['TIMEOUT', 'UNREACHABLE'] : ['TIMEOUT'];
      await eventually('a timeout', TIMEOUT, () => errors.some(({ code }) => expected.includes(code!)));
    } finally {
      server.resume();
    }
    await leads(first);
  });

  it('waits for the lock of the row, and does not take a lease that is renewed in the meantime', async () => {
    const first = enter();
    await leads(first);
    const locking = new pg.Client(server.url);
    await locking.connect();
    await locking.query('BEGIN');
    await locking.query('SELECT 1 FROM election WHERE name = $1 FOR UPDATE', [lockName]);
    await eventually('suspended or lost', TIMEOUT, () => !first.leads);
    await locking.query('COMMIT');
    await locking.end();
    await leads(first);
  });

  it.each([
    ['a database that is not there', { pathname: '/nowhere' }, '3D000', /create the database/],
    ['an address where no server listens', { port: '1' }, 'UNREACHABLE', /check host and port/],
  ])('names %s, and keeps trying', async (_name, change, code, remedy) => {
    const url = Object.assign(new URL(server.url), change);
    enter({ postgres: url.href });
    expect(await failure()).toMatchObject({ code, message: expect.stringMatching(remedy) });
  });

  it('names missing rights, and leads when they are granted', async () => {
    const role = `role_${randomUUID().slice(0, 8)}`;
    const table = `table_${randomUUID().slice(0, 8)}`;
    await sql(electionTableSql(table));
    await sql(`CREATE ROLE ${role} LOGIN`);
    const url = Object.assign(new URL(server.url), { username: role });
    const first = enter({ postgres: url.href, table });
    expect(await failure()).toMatchObject({
      code: '42501',
      message: expect.stringMatching(/needs SELECT, INSERT/),
    });
    await sql(`GRANT SELECT, INSERT, UPDATE ON ${table} TO ${role}`);
    await leads(first);
  });

  it('asks for the password at every attempt to connect, and leads when it is right', async () => {
    const role = `role_${randomUUID().slice(0, 8)}`;
    await sql(`CREATE ROLE ${role} SUPERUSER LOGIN PASSWORD 'right'`);
    const [file] = await sql('SHOW hba_file');
    const rules = String(file!['hba_file']);
    const before = await readFile(rules, 'utf8');
    await writeFile(rules, `host all ${role} all scram-sha-256\n${before}`);
    await sql('SELECT pg_reload_conf()');
    const { hostname: host, port, pathname } = new URL(server.url);
    let password = 'wrong';
    let asked = 0;
    const first = enter({
      postgres: {
        host,
        port: Number(port),
        database: pathname.slice(1),
        user: role,
        password: () => {
          asked++;
          return Promise.resolve(password);
        },
      },
    });
    expect(await failure()).toMatchObject({
      code: '28P01',
      message: expect.stringMatching(/check user and password/),
    });
    const tried = asked;
    password = 'right';
    await leads(first);
    expect(asked).toBeGreaterThan(tried);
    await writeFile(rules, before);
  });

  it('leads although a slow server takes longer to accept a connection than a statement may take', async () => {
    proxy = await TcpProxy.to(server.url);
    proxy.connectDelay = 1_500;
    const url = Object.assign(new URL(server.url), { hostname: '127.0.0.1', port: String(proxy.port) });
    const first = enter({ postgres: url.href });
    await leads(first);
    expect(errors[0]).toMatchObject({ code: 'UNREACHABLE', message: expect.stringMatching(/timeout/) });
  });

  it('leads after the server had too many connections', async () => {
    const name = `name_${randomUUID().slice(0, 8)}`;
    await sql(electionTableSql(name));
    await sql(`CREATE ROLE ${name} LOGIN CONNECTION LIMIT 0`);
    await sql(`GRANT SELECT, INSERT, UPDATE ON ${name} TO ${name}`);
    const url = Object.assign(new URL(server.url), { username: name });
    const first = enter({ postgres: url.href, table: name });
    expect(await failure()).toMatchObject({
      code: '53300',
      message: expect.stringMatching(/max_connections/),
    });
    await sql(`ALTER ROLE ${name} CONNECTION LIMIT 1`);
    await leads(first);
  });

  it.each([
    { code: '3D000', cause: 'the database does not exist', remedy: 'CREATE DATABASE' },
    { code: '28000', cause: 'the role may not log in', remedy: 'ALTER ROLE' },
  ])('leads after the server refused connections because $cause', async ({ code, remedy }) => {
    const name = `name_${randomUUID().slice(0, 8)}`;
    const url = new URL(server.url);
    if (remedy === 'ALTER ROLE') {
      await sql(`CREATE ROLE ${name} SUPERUSER NOLOGIN`);
      url.username = name;
    } else url.pathname = name;
    const first = enter({ postgres: url.href });
    expect(await failure()).toMatchObject({ code });
    await sql(remedy === 'ALTER ROLE' ? `ALTER ROLE ${name} LOGIN` : `CREATE DATABASE ${name}`);
    await leads(first);
  });
});
