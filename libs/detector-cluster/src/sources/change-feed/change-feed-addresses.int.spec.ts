import { startPgBouncer, type PgBouncerService } from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/create-test-database.js';
import { until } from '../../../../../test/support/until.js';
import { ChangeFeed, type ChangeFeedEvent } from './change-feed.js';
import { installChangeFeed } from './change-feed-sql.js';
import { loadPg } from './feed-connection.js';

describe('the address of a change feed', () => {
  let database: TestDatabase;
  let writer: pg.Pool;
  const feeds: ChangeFeed[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    writer = new pg.Pool({ connectionString: database.url, max: 2 });
    // A pool ends before its sessions do: the end of the database can reach them.
    writer.on('error', () => undefined);
    await installChangeFeed(writer);
  });
  afterAll(async () => {
    await writer?.end();
    await database?.drop();
  });
  afterEach(async () => {
    await Promise.all(feeds.splice(0).map((feed) => feed.stop()));
  });

  const listen = async (connectionString: string) => {
    const [changes, events]: [string[], ChangeFeedEvent[]] = [[], []];
    const feed = new ChangeFeed(
      await loadPg(),
      { connectionString, probeInterval: 100, timeout: 10_000 },
      { onChange: (reason) => changes.push(reason), onEvent: (event) => events.push(event) },
    );
    feeds.push(feed);
    feed.start();
    return { events, announced: () => changes.filter((reason) => reason === 'change-feed').length };
  };
  const write = (schema: string) =>
    writer.query(
      `insert into "${schema}"."Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") values ('${randomUUID()}', 'rtsp://h/1', now())`,
    );

  describe.each(['transaction', 'session'] as const)('of PgBouncer that pools by %s', (mode) => {
    let pooler: PgBouncerService;
    beforeAll(async () => {
      pooler = await startPgBouncer(database.url, { mode });
    });
    afterAll(() => pooler?.stop());

    it('is refused by name, and leaves no session that listens', async () => {
      const { events } = await listen(pooler.through(database.url));
      await until(() => events.length > 1);
      for (const event of events)
        expect(event).toMatchObject({
          type: 'lost',
          error: {
            name: 'PoolerError',
            message: expect.stringMatching(/pooler.*direct address.*DIRECT_URL/),
          },
        });
      const client = new pg.Client({ connectionString: pooler.through(database.url) });
      await client.connect();
      expect((await client.query('select pg_listening_channels()')).rows).toEqual([]);
      await client.end();
    });
  });

  it('names the schema whose changes are heard, and no other', async () => {
    const urls = ['one', 'two'].map((schema) => `${database.url}?schema=${schema}`);
    for (const url of urls) await applyMigrations(url, MIGRATIONS_DIRECTORY);
    for (const schema of ['one', 'two']) await installChangeFeed(writer, { schema });
    const [one, two, standard] = await Promise.all([...urls, database.url].map(listen));
    await until(() => [one, two, standard].every((feed) => feed!.events.length > 0));
    await write('one');
    await until(() => one!.announced() === 1);
    await write('two');
    await write('two');
    await write('public');
    await until(() => two!.announced() === 2 && standard!.announced() === 1);
    expect(one!.announced()).toBe(1);
    for (const { events } of [one!, two!, standard!]) expect(events).toEqual([{ type: 'listening' }]);
  });
});
