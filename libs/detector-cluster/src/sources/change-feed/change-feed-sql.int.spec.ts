import { once } from 'node:events';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/create-test-database.js';
import { parseChangedRows } from '../changed-rows.js';
import { changeFeedSql } from './change-feed-sql.js';

const CHANNEL = 'detector_cluster_changed';
const sql = changeFeedSql();

const isAnnouncement = (payload: string | undefined) => payload === '' || payload?.startsWith('{') === true;

describe('the triggers of the change feed', () => {
  let database: TestDatabase;
  let writer: pg.Client;
  let listener: pg.Client;
  let heard: (string | undefined)[] = [];
  let mark = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    writer = new pg.Client({ connectionString: database.url });
    listener = new pg.Client({ connectionString: database.url });
    await Promise.all([writer.connect(), listener.connect()]);
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.query(`listen ${CHANNEL}`);
    await writer.query(sql.install);
  });
  afterAll(async () => {
    await Promise.all([writer.end(), listener.end()]);
    await database.drop();
  });

  beforeEach(async () => {
    await writer.query('truncate "Display", "Camera", "Playlist", "Model" restart identity cascade');
    await writer.query(`
      insert into "Model" ("name", "fileKey", "updatedAt") values ('m', 'k', now());
      insert into "Playlist" ("name", "modelId", "updatedAt") values ('p', 1, now());
      insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") values ('c1', 'rtsp://h/1', now()), ('c2', 'rtsp://h/2', now());
      insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt")
        values ('d1', 'c1', 1, now()), ('d2', 'c2', 1, now())`);
    await settled();
    heard = [];
  });
  afterEach(async () => {
    await writer.query('rollback');
  });

  /** Notifications arrive in the order of commits: what has not arrived before the mark will not arrive. */
  const settled = async () => {
    const text = `mark ${++mark}`;
    const arrived = new Promise<void>((resolve) => {
      const look = ({ payload }: pg.Notification) => {
        if (payload !== text) return;
        listener.off('notification', look);
        resolve();
      };
      listener.on('notification', look);
    });
    await writer.query(`select pg_notify('${CHANNEL}', '${text}')`);
    await arrived;
  };
  /** How many announcements the statements cause, each string being one round trip. */
  const announced = async (...statements: string[]) => {
    for (const statement of statements) await writer.query(statement);
    await settled();
    const count = heard.filter(isAnnouncement).length;
    heard = [];
    return count;
  };

  it.each([
    `insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") values ('c3', 'rtsp://h/3', now())`,
    `update "Camera" set "rtspUrl" = 'rtsp://h/9' where "cameraIdentifier" = 'c1'`,
    `update "Display" set "cropX1" = 1, "cropY1" = 1, "cropX2" = 9, "cropY2" = 9`,
    `update "Display" set "playlistId" = null where "displayId" = 'd1'`,
    `update "Display" set "cameraIdentifier" = case "cameraIdentifier" when 'c1' then 'c2' else 'c1' end`,
    `update "Model" set "name" = 'other'`,
    `update "Playlist" set "modelId" = null`,
    `delete from "Display" where "displayId" = 'd2'`,
    `truncate "Display"`,
    `insert into "Model" ("name", "fileKey", "updatedAt") values ('m', 'k', now()) on conflict ("name") do update set "name" = 'n'`,
    `merge into "Camera" c using (values ('c1')) v(id) on c."cameraIdentifier" = v.id when matched then update set "rtspUrl" = 'rtsp://h/m'`,
    `with gone as (delete from "Display" returning 1) select count(*) from gone`,
    `do $$ begin update "Model" set "name" = 'done'; end $$`,
  ])('announce %s', async (statement) => {
    expect(await announced(statement)).toBe(1);
  });

  it.each([
    `update "Display" set "name" = 'x', "updatedAt" = now()`,
    `update "Camera" set "rtspUrl" = "rtspUrl"`,
    `update "Playlist" set "name" = 'x'`,
    `update "Camera" set "rtspUrl" = 'x' where false`,
    `delete from "Camera" where false`,
    `insert into "Model" select * from "Model" where false`,
    `insert into "Model" ("name", "fileKey", "updatedAt") values ('m', 'k', now()) on conflict do nothing`,
    `select * from "Display" for update`,
  ])('do not announce %s', async (statement) => {
    expect(await announced(statement)).toBe(0);
  });

  it('announce cascades', async () => {
    // Only the display's own column is a watched change.
    await writer.query(sql.remove);
    const onlyDisplays = changeFeedSql({ tables: { Display: ['cameraIdentifier', 'playlistId'] } });
    await writer.query(onlyDisplays.install);
    try {
      expect(
        await announced(`update "Camera" set "cameraIdentifier" = 'c7' where "cameraIdentifier" = 'c1'`),
      ).toBe(1);
      expect(await announced(`delete from "Camera" where "cameraIdentifier" = 'c2'`)).toBe(1);
      expect(await announced('truncate "Camera" cascade')).toBe(1);
    } finally {
      await writer.query(sql.install);
    }
  });

  it.each([
    [`update "Camera" set "rtspUrl" = 'rtsp://h/9' where "cameraIdentifier" = 'c1'`, { cameras: ['c1'] }],
    [`update "Display" set "playlistId" = null`, { displays: ['d1', 'd2'] }],
    [`update "Display" set "displayId" = 'd9' where "displayId" = 'd1'`, { displays: ['d1', 'd9'] }],
    [`delete from "Display" where "displayId" = 'd2'`, { displays: ['d2'] }],
    [`update "Playlist" set "modelId" = null`, { playlists: [1] }],
    [`insert into "Model" ("name", "fileKey", "updatedAt") values ('n', 'k', now())`, { models: [2] }],
    [`update "Model" set "fileKey" = 'x'`, { models: [1] }],
    [`truncate "Display"`, null],
    [
      `insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") select 'n' || i, 'rtsp://h', now() from generate_series(1, 101) i`,
      null,
    ],
  ])('name the rows of %s: %j', async (statement, rows) => {
    await writer.query(statement);
    await settled();
    expect(heard.filter(isAnnouncement).map((payload) => parseChangedRows(payload!))).toEqual([rows]);
  });

  it('name the rows of a cascade', async () => {
    await writer.query(`delete from "Camera" where "cameraIdentifier" = 'c1'`);
    await settled();
    const rows = heard.filter(isAnnouncement).map((payload) => parseChangedRows(payload!));
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(expect.arrayContaining([{ displays: ['d1'] }, { cameras: ['c1'] }]));
  });

  it('announce a transaction of very many statements without naming rows', async () => {
    await writer.query('begin');
    for (let i = 0; i < 150; i++)
      await writer.query(
        `insert into "Camera" ("cameraIdentifier", "rtspUrl", "updatedAt") values ('x${i}', 'rtsp://h', now())`,
      );
    await writer.query('commit');
    await settled();
    expect(heard.filter(isAnnouncement).length).toBe(101);
    expect(heard.filter((payload) => payload === '')).toHaveLength(1);
    heard = [];
    // The count belongs to the transaction.
    await writer.query(`update "Camera" set "rtspUrl" = 'rtsp://h/9' where "cameraIdentifier" = 'c1'`);
    await settled();
    expect(heard.filter(isAnnouncement)).toEqual(['{"cameras": ["c1"]}']);
  });

  it('announce a transaction once after its commit, and never after a rollback', async () => {
    await writer.query('begin');
    for (let i = 0; i < 20; i++) await writer.query(`update "Camera" set "rtspUrl" = 'rtsp://h/${i}'`);
    await writer.query(`delete from "Display"`);
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query(`select pg_notify('${CHANNEL}', 'before the commit')`);
    if (heard.length === 0) await once(listener, 'notification');
    expect(heard).toEqual(['before the commit']);
    await other.end();
    // Twenty equal statements on cameras, and one on displays.
    expect(await announced('commit')).toBe(2);
    expect(await announced('begin', `delete from "Camera"`, 'rollback')).toBe(0);
    expect(
      await announced('begin', 'savepoint s', `delete from "Camera"`, 'rollback to savepoint s', 'commit'),
    ).toBe(0);
  });

  it('never fail a write, even if a compared column no longer exists', async () => {
    await writer.query('alter table "Camera" rename column "snapshotUrl" to "pictureUrl"');
    try {
      expect(await announced(`update "Camera" set "pictureUrl" = 'http://h/1.jpg'`)).toBe(1);
      await writer.query('update "Display" set "cameraIdentifier" = null');
      await settled();
      heard = [];
      expect(await announced(`delete from "Camera"`)).toBe(1);
    } finally {
      await writer.query('alter table "Camera" rename column "pictureUrl" to "snapshotUrl"');
    }
  });

  it('compare columns of types without an order', async () => {
    await writer.query('create table "Any ""Thing" ("the data" json, place point, note text)');
    const feed = changeFeedSql({ name: CHANNEL, tables: { 'Any "Thing': ['the data', 'place'] } });
    await writer.query(feed.install);
    try {
      expect(await announced(`insert into "Any ""Thing" values ('{"a":1}', '(1,1)', 'n')`)).toBe(1);
      expect(await announced(`update "Any ""Thing" set note = 'm'`)).toBe(0);
      expect(await announced(`update "Any ""Thing" set "the data" = '{"a":2}'`)).toBe(1);
      expect(await announced(`update "Any ""Thing" set place = null`)).toBe(1);
    } finally {
      await writer.query('drop table "Any ""Thing"');
      await writer.query(sql.install);
    }
  });
});
