import { startPostgres, type PostgresService } from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeFeed, type ChangeFeedEvent } from './change-feed.js';
import type { ChangeFeedOptions } from './change-feed-settings.js';
import { installChangeFeed, removeChangeFeed } from './change-feed-sql.js';
import { loadPg } from './feed-connection.js';
import { until } from '../../../../../test/support/until.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

describe('ChangeFeed', () => {
  let postgres: PostgresService;
  let url: string;
  let writer: pg.Pool;
  let feed: ChangeFeed;
  let changes: string[];
  let events: ChangeFeedEvent[];

  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase(`feed_${randomUUID().replaceAll('-', '')}`);
    await applyMigrations(url, MIGRATIONS_DIRECTORY);
    writer = new pg.Pool({ connectionString: url, max: 2 });
    writer.on('error', () => undefined);
  });
  afterAll(async () => {
    await writer.end();
    await postgres.stop();
  });

  beforeEach(async () => {
    changes = [];
    events = [];
    await until(() =>
      installChangeFeed(writer).then(
        () => true,
        () => false,
      ),
    );
  });
  afterEach(() => feed.stop());

  const start = async (options: Partial<ChangeFeedOptions> = {}) => {
    feed = new ChangeFeed(
      await loadPg(),
      { connectionString: url, probeInterval: 100, timeout: 10_000, ...options },
      { onChange: (reason) => changes.push(reason), onEvent: (event) => events.push(event) },
    );
    feed.start();
  };
  const times = (type: ChangeFeedEvent['type']) => events.filter((event) => event.type === type).length;
  const announced = () => changes.filter((reason) => reason === 'change-feed').length;
  const write = () =>
    writer.query(
      `insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") values ('${randomUUID()}', 'rtsp://h/1', now())`,
    );
  const session = async () =>
    (
      await writer.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'detector-cluster change feed' and datname = current_database()`,
      )
    ).rows.map(({ pid }) => pid);

  it('reports each change, and once after it has begun to listen', async () => {
    await start();
    await until(() => changes.length === 1);
    expect(changes).toEqual(['change-feed-connected']);
    await write();
    await until(() => announced() === 1);
    expect(events).toEqual([{ type: 'listening' }]);
  });

  it('listens again after its session was killed, and then reports once that something may have changed', async () => {
    await start();
    await until(() => changes.length === 1);
    for (let kill = 1; kill <= 2; kill++) {
      // The server still shows a killed session for a moment.
      await until(async () => (await session()).length === 1);
      const [pid] = await session();
      await writer.query('select pg_terminate_backend($1)', [pid]);
      await until(() => times('lost') === kill);
      await until(() => times('listening') === kill + 1);
      expect(changes).toHaveLength(kill + 1);
    }
    await write();
    await until(() => announced() === 1);
    expect(changes.filter((reason) => reason === 'change-feed-connected')).toHaveLength(3);
    // The session can also end before its client has read the reason of the server.
    expect(events.find(({ type }) => type === 'lost')).toMatchObject({
      error: { message: expect.stringMatching(/administrator command|connection error/) },
    });
  });

  it('reconnects after a crash of the server, and to a server that was unavailable at the start', async () => {
    await postgres.kill();
    await start();
    await until(() => times('lost') > 1);
    expect(changes).toEqual([]);
    await postgres.start();
    await until(() => changes.length === 1);
    await postgres.restart({ downFor: 300 });
    await until(() => changes.length === 2);
    await write();
    await until(() => announced() === 1);
  });

  it('detects a silent server, and reconnects when it answers', async () => {
    await start({ timeout: 2_000 });
    await until(() => changes.length === 1);
    postgres.pause();
    try {
      await until(() => times('lost') > 1);
    } finally {
      postgres.resume();
    }
    await until(() => times('listening') === 2);
    await write();
    await until(() => announced() === 1);
    // The server has dropped the disconnected session too.
    await until(async () => (await session()).length === 1);
  });

  it('reports a problem of the triggers once, and its end', async () => {
    await removeChangeFeed(writer);
    await start();
    await until(() => times('installation') === 1);
    await installChangeFeed(writer, { tables: { Camera: ['rtspUrl'] } });
    await until(() => times('installation') === 2);
    await installChangeFeed(writer);
    await writer.query('alter table "Model" disable trigger all');
    await until(() => times('installation') >= 3 && JSON.stringify(events).includes('on Model'));
    await writer.query('alter table "Model" enable trigger all');
    await until(
      () => events.at(-1)?.type === 'installation' && JSON.stringify(events.at(-1)).includes('null'),
    );
    const problems = events.flatMap((event) => (event.type === 'installation' ? [event.problem] : []));
    expect(problems[0]).toBe('is not installed');
    expect(problems).toContain('has no active triggers on Display, Playlist, Model');
    expect(problems).toContain('has no active triggers on Model');
    for (const [i, problem] of problems.entries()) expect(problem).not.toBe(problems[i - 1]);
  });

  it('reports that triggers with other settings are installed', async () => {
    await start({ tables: { Display: 'all', Camera: 'all', Playlist: 'all', Model: 'all' } });
    await until(() => times('installation') === 1);
    expect(events.at(-1)).toEqual({
      type: 'installation',
      problem: 'is installed with other settings or by another version',
    });
  });

  it.each([
    ['while it listens', async () => until(() => changes.length === 1)],
    ['while it dials', async () => undefined],
    [
      'while the server is silent',
      async () => {
        await until(() => changes.length === 1);
        postgres.pause();
      },
    ],
  ])('stops %s, and reports nothing afterwards', async (_when, prepare) => {
    await start({ timeout: 10_000 });
    await prepare();
    await feed.stop();
    postgres.resume();
    const before = [changes.length, events.length];
    await write();
    await until(async () => (await session()).length === 0);
    expect([changes.length, events.length]).toEqual(before);
  });
});
