import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PrismaClient } from '../../../../../apps/cms-backend/src/generated/prisma/client.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/create-test-database.js';
import { changeFeedSql, installChangeFeed, removeChangeFeed } from './change-feed-sql.js';

describe('installChangeFeed', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const inspect = async () => (await client.query(changeFeedSql().inspect)).rows[0] as object;
  const triggers = async () =>
    (await client.query(`select oid, tgname from pg_trigger where tgname like 'detector%' order by oid`))
      .rows;
  const all = ['Display', 'Camera', 'Playlist', 'Model'];

  it('installs, updates and removes through Prisma and through pg', async () => {
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: database.url }) });
    try {
      for (const through of [prisma, client]) {
        expect(await inspect()).toEqual({ fingerprint: null, missing: all });
        await installChangeFeed(through);
        expect(await inspect()).toEqual({ fingerprint: changeFeedSql().fingerprint, missing: [] });
        await removeChangeFeed(through);
        await removeChangeFeed(through);
        expect(await triggers()).toEqual([]);
      }
    } finally {
      await prisma.$disconnect();
    }
  });

  it('changes nothing if it is up to date, and does not wait for other sessions', async () => {
    await installChangeFeed(client);
    const before = await triggers();
    const busy = new pg.Client({ connectionString: database.url });
    await busy.connect();
    try {
      await busy.query('begin; lock table "Camera" in row exclusive mode');
      await client.query(`set lock_timeout = '1ms'`);
      await installChangeFeed(client);
    } finally {
      await client.query('reset lock_timeout');
      await busy.end();
    }
    expect(before).toHaveLength(16);
    expect(await triggers()).toEqual(before);
  });

  it('leaves no trigger on a table that is no longer watched', async () => {
    await installChangeFeed(client);
    await installChangeFeed(client, { tables: { Camera: 'all' } });
    expect(await triggers()).toHaveLength(4);
    expect(await inspect()).toMatchObject({ missing: ['Display', 'Playlist', 'Model'] });
    await removeChangeFeed(client);
  });

  it('is atomic: a missing table or column changes nothing, and the error names it', async () => {
    await installChangeFeed(client);
    await expect(installChangeFeed(client, { tables: { Camera: 'all', Nothing: 'all' } })).rejects.toThrow(
      '"public.Nothing" does not exist',
    );
    await expect(installChangeFeed(client, { tables: { Camera: ['rtspUrl', 'url'] } })).rejects.toThrow(
      'change feed: there is no column "Camera".url',
    );
    expect(await inspect()).toMatchObject({ missing: [] });
  });

  it('can run many times concurrently', async () => {
    await removeChangeFeed(client);
    const others = Array.from({ length: 4 }, () => new pg.Client({ connectionString: database.url }));
    await Promise.all(others.map((other) => other.connect()));
    try {
      await Promise.all(others.map((other) => installChangeFeed(other)));
    } finally {
      await Promise.all(others.map((other) => other.end()));
    }
    expect(await inspect()).toMatchObject({ missing: [] });
  });

  it.each([
    [{ tables: {} }, 'changeFeed.tables: must name a table'],
    [{ tables: { Camera: [] } }, 'changeFeed.tables.Camera: must be "all" or a list of columns'],
    [{ tables: { Camera: ['$dc_body$'] } }, 'changeFeed.tables.Camera: must not contain "$"'],
    [{ name: 'x'.repeat(49) }, 'changeFeed.name: must be a name of 1 to 48 bytes'],
    [{ schema: '' }, 'changeFeed.schema: must be a name of 1 to 63 bytes'],
  ])('refuses %j by name', async (settings, message) => {
    await expect(installChangeFeed(client, settings)).rejects.toThrow(message);
  });
});
