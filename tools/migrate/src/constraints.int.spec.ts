import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/support/create-test-database.js';
import type { TestDatabase } from '../../../test/support/create-test-database.js';

let database: TestDatabase;
let client: pg.Client;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const insert = async (table: string, row: Record<string, unknown>): Promise<void> => {
  const columns = [...Object.keys(row), 'updatedAt'].map((column) => pg.escapeIdentifier(column));
  const values = [...Object.values(row), new Date()];
  await client.query(
    `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${values.map((_, i) => `$${i + 1}`).join(', ')})`,
    values,
  );
};
const display = (row: Record<string, unknown> = {}) =>
  insert('Display', { displayId: `display-${++serial}`, ...row });
const camera = (row: Record<string, unknown> = {}) =>
  insert('Camera', { cameraIdentifier: `cam-${++serial}`, rtspUrl: 'rtsp://10.0.0.1/main', ...row });
const crop = (cropX1: unknown, cropY1: unknown, cropX2: unknown, cropY2: unknown) => ({
  cropX1,
  cropY1,
  cropX2,
  cropY2,
});

describe.each([
  ['Display', 'displayId', display],
  ['Camera', 'cameraIdentifier', camera],
] as const)('%s', (table, identifier, add) => {
  it.each(['', ' ', '\t', 'a;b', 'a\nb', 'a\u0001b', 'a\u001fb', 'a\u007fb', 'a\u009fb'])(
    'refuses the identifier %j',
    async (value) => {
      await expect(add({ [identifier]: value })).rejects.toMatchObject({
        code: '23514',
        constraint: `${table}_${identifier}_check`,
      });
    },
  );

  it.each(['a', 'Türe 7', 'a b', 'x:y/z', 'カメラ', 'a:', '\u00a0b', 'é'.repeat(256)])(
    'takes the identifier %j',
    async (value) => {
      await add({ [identifier]: value });
    },
  );

  it('accepts an identifier once, with at most 256 characters', async () => {
    await add({ [identifier]: 'twice' });
    await expect(add({ [identifier]: 'twice' })).rejects.toMatchObject({ code: '23505' });
    await expect(add({ [identifier]: 'x'.repeat(257) })).rejects.toMatchObject({ code: '22001' });
  });

  it.each([
    ['partly given', crop(0, 0, 10, null)],
    ['with one value', crop(null, 5, null, null)],
    ['without width', crop(10, 0, 10, 10)],
    ['mirrored', crop(10, 0, 5, 10)],
    ['without height', crop(0, 10, 10, 10)],
    ['upside down', crop(0, 10, 10, 5)],
    ['left of the picture', crop(-1, 0, 10, 10)],
    ['above the picture', crop(0, -1, 10, 10)],
  ])('refuses a crop %s', async (_, values) => {
    await expect(add(values)).rejects.toMatchObject({ code: '23514', constraint: `${table}_crop_check` });
  });

  it('accepts a complete crop or none', async () => {
    await add(crop(0, 0, 1, 1));
    await add(crop(null, null, null, null));
  });
});

describe('Camera', () => {
  it.each([0, -1])('refuses the snapshot interval %d', async (snapshotInterval) => {
    await expect(camera({ snapshotInterval })).rejects.toMatchObject({
      constraint: 'Camera_snapshotInterval_check',
    });
  });

  it('passes a new identifier on to its displays, and leaves them without a camera when it is deleted', async () => {
    await camera({ cameraIdentifier: 'before' });
    await display({ displayId: 'follows', cameraIdentifier: 'before' });
    const followed = async () =>
      (await client.query(`SELECT "cameraIdentifier" FROM "Display" WHERE "displayId" = 'follows'`)).rows[0];
    await client.query(
      `UPDATE "Camera" SET "cameraIdentifier" = 'after' WHERE "cameraIdentifier" = 'before'`,
    );
    expect(await followed()).toEqual({ cameraIdentifier: 'after' });
    await client.query(`DELETE FROM "Camera" WHERE "cameraIdentifier" = 'after'`);
    expect(await followed()).toEqual({ cameraIdentifier: null });
    await expect(display({ cameraIdentifier: 'unknown' })).rejects.toMatchObject({ code: '23503' });
  });
});
