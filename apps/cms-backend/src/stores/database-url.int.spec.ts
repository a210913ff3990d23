import {
  startPgBouncer,
  startPostgres,
  TcpProxy,
  type PgBouncerService,
  type PostgresService,
} from '@detector-cluster/dev-services';
import { installChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { startTestApp, type TestApp } from '../test-app.fixture.js';
import { createPrismaClient } from './prisma-client.js';
import { openDatabase } from './stores.module.js';

const ROWS = 40;

const newCamera = (name: string) => ({ cameraIdentifier: name, rtspUrl: 'rtsp://10.0.0.1/main' });
const camerasOf = async (api: TestApp) => {
  const { body } = await api.send<{ items: { cameraIdentifier: string }[] }>('GET', '/api/cameras?limit=100');
  return body.items.map(({ cameraIdentifier }) => cameraIdentifier);
};

describe('DATABASE_URL', () => {
  let postgres: PostgresService;
  let direct: string;
  let admin: pg.Pool;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
    direct = await postgres.createDatabase('cms');
    admin = new pg.Pool({ connectionString: direct });
    // A pool ends before its sessions do: the end of the database can reach them.
    admin.on('error', () => undefined);
    await applyMigrations(direct, MIGRATIONS_DIRECTORY);
    await installChangeFeed(admin);
  }, TIMEOUT);
  afterAll(async () => {
    await admin?.end();
    await postgres?.stop();
  }, TIMEOUT);
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const close of closing.splice(0).toReversed()) await close();
  }, TIMEOUT);

  const start = async (env: Record<string, string>): Promise<TestApp> => {
    const api = await startTestApp({ REDIS_URL: process.env.REDIS_URL, ...env });
    closing.push(() => api.close());
    await eventually(async () => expect((await api.send('GET', '/health/ready')).status).toBe(200));
    return api;
  };
  it('names the schema in which a service keeps its rows', async () => {
    const urls = ['one', 'two'].map((schema) => `${direct}?schema=${schema}`);
    for (const url of urls) await applyMigrations(url, MIGRATIONS_DIRECTORY);
    const [one, two] = [
      await start({ DATABASE_URL: urls[0]!, DETECTION_HISTORY: 'true' }),
      await start({ DATABASE_URL: urls[1]!, DETECTION_HISTORY: 'true' }),
    ];
    expect((await one.send('POST', '/api/cameras', newCamera('of-one'))).status).toBe(201);
    expect(await camerasOf(one)).toEqual(['of-one']);
    expect(await camerasOf(two)).toEqual([]);
    expect((await admin.query('select from "public"."Camera"')).rowCount).toBe(0);
  });

  it('gives up all idle connections to a server that does not answer', async () => {
    const proxy = await TcpProxy.to(direct);
    closing.push(() => proxy.stop());
    const { pool } = openDatabase(proxy.through(direct).href);
    closing.push(() => pool.end());
    const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    for (const client of clients) client.release();
    expect(pool.idleCount).toBe(3);
    proxy.cut();
    await expect(pool.query('select 1')).rejects.toThrow('Query read timeout');
    expect(pool.idleCount).toBe(0);
    proxy.mend();
    expect((await pool.query('select 1')).rowCount).toBe(1);
  });

  describe.each(['transaction', 'session'] as const)('of PgBouncer that pools by %s', (mode) => {
    let pooler: PgBouncerService;
    let url: string;
    beforeAll(async () => {
      pooler = await startPgBouncer(postgres.url, { mode });
      url = pooler.through(direct);
    }, TIMEOUT);
    afterAll(() => pooler?.stop());

    it('serves, and leaves no setting in the sessions of the pool', async () => {
      const api = await start({ DATABASE_URL: url, DETECTION_HISTORY: 'true' });
      const names = Array.from({ length: ROWS }, (_, i) => `${mode}-${String(i).padStart(2, '0')}`);
      const created = await Promise.all(
        names.map((name) => api.send('POST', '/api/cameras', newCamera(name))),
      );
      expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
      expect((await camerasOf(api)).filter((name) => name.startsWith(mode)).toSorted()).toEqual(names);
      expectProblem(await api.send('POST', '/api/cameras', newCamera(names[0]!)), 409);
      await eventually(async () => {
        const { status } = await api.send('POST', '/api/cluster/regenerate');
        expect(status).toBeLessThan(300);
      });
      const settings = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'cms-backend'`,
      );
      expect(settings.rowCount).toBeGreaterThan(0);
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      closing.push(() => other.end());
      const { rows } = await other.query(
        `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`,
      );
      expect(rows).toEqual([{ statement: '0', idle: '0' }]);
    });

    it('keeps the snapshot of a transaction while other clients of the pool write', async () => {
      const database = openDatabase(url);
      const prisma = createPrismaClient(database);
      closing.push(() => database.pool.end());
      const counts = await prisma.$transaction(
        async (tx) => {
          const before = await tx.camera.count();
          await prisma.camera.create({ data: newCamera(`beside-${mode}`) });
          const [{ level }] = await tx.$queryRaw<
            [{ level: string }]
          >`select current_setting('transaction_isolation') as level`;
          return { before, after: await tx.camera.count(), level };
        },
        { isolationLevel: 'RepeatableRead' },
      );
      expect(counts.after).toBe(counts.before);
      expect(counts.level).toBe('repeatable read');
      expect(await prisma.camera.count()).toBe(counts.before + 1);
    });

    it('listens to the direct address of DIRECT_URL', async () => {
      await start({ DATABASE_URL: url, DIRECT_URL: direct, CHANGE_FEED: 'true' });
      await eventually(async () => {
        const { rows } = await admin.query(
          `select query from pg_stat_activity where application_name = 'detector-cluster change feed'`,
        );
        expect(rows).toHaveLength(1);
      });
    });

    it('says in the log that the change feed cannot listen through it', async () => {
      const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      await start({ DATABASE_URL: url, CHANGE_FEED: 'true', LOG_LEVEL: 'warn' });
      await eventually(async () => {
        expect(warn.mock.calls.map(([text]) => String(text)).join('\n')).toMatch(
          /cannot listen to the database: .*pooler such as PgBouncer.*DIRECT_URL/,
        );
      });
    });

    it('answers with the name of a parameter that a pooler cannot keep', async () => {
      const api = await startTestApp({
        DATABASE_URL: `${url}?lock_timeout=5`,
        REDIS_URL: process.env.REDIS_URL,
      });
      closing.push(() => api.close());
      const problem = expectProblem(await api.send('GET', '/api/cameras'), 503);
      expect(problem.detail).toMatch(/pooler/);
      await eventually(async () => {
        const { body } = await api.send('GET', '/health/ready');
        expect(body.checks).toMatchObject({ database: { reason: expect.stringContaining('lock_timeout') } });
      });
    });
  });
});
