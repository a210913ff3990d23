import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@detector-cluster/dev-services';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PrismaClient } from '../../../../apps/cms-backend/src/generated/prisma/client.js';
import { eventually } from '../../../../test/support/until.js';
import { desiredPages } from './desired-pages.js';
import type { DesiredState } from './desired-state-source.js';
import {
  type DisplayReader,
  type PrismaDesiredClient,
  PrismaDesiredSource,
} from './prisma-desired-source.js';

const name = `desired_${randomUUID().replaceAll('-', '')}`;
const serverUrl = process.env.DATABASE_URL!;
const migrations = join(process.cwd(), 'prisma/migrations');
let prisma: PrismaClient;

beforeAll(async () => {
  const url = await createDatabase(serverUrl, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const folder of (await readdir(migrations, { withFileTypes: true })).filter((e) => e.isDirectory()))
    await client.query(await readFile(join(migrations, folder.name, 'migration.sql'), 'utf8'));
  await client.end();
  prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });

  const model = await prisma.model.create({ data: { name: 'plates', fileKey: 'plates.mpta' } });
  const playlist = await prisma.playlist.create({ data: { name: 'cars', modelId: model.id } });
  const empty = await prisma.playlist.create({ data: { name: 'no model' } });
  const camera = { cameraIdentifier: 'cam', rtspUrl: 'rtsp://u:p@h/1', snapshotUrl: 'http://h/1.jpg' };
  await prisma.camera.create({ data: { ...camera, cropX1: 0, cropY1: 0, cropX2: 10, cropY2: 10 } });
  const display = { cameraIdentifier: 'cam', playlistId: playlist.id };
  await prisma.display.createMany({
    data: [
      { ...display, displayId: 'b', cropX1: 1, cropY1: 1, cropX2: 5, cropY2: 5 },
      { ...display, displayId: 'a' },
      { ...display, displayId: 'c', playlistId: null },
      { ...display, displayId: 'd', playlistId: empty.id },
      { ...display, displayId: 'e', cameraIdentifier: null },
    ],
  });
});

afterAll(async () => {
  await prisma.$disconnect();
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  await admin.end();
});

async function readAll(client: PrismaDesiredClient): Promise<DesiredState> {
  const state: DesiredState = { subscriptions: [], skipped: [] };
  const source = new PrismaDesiredSource(client);
  for await (const page of desiredPages(() => source.read())) {
    state.subscriptions.push(...page.subscriptions);
    state.skipped.push(...page.skipped);
  }
  return state;
}

describe('PrismaDesiredSource', () => {
  it('reads subscriptions, and skips with a reason', async () => {
    const { subscriptions, skipped } = await readAll(prisma);
    expect(subscriptions).toMatchObject([
      { subscriptionIdentifier: 'a;cam', modelName: 'plates', cropX1: 0, cropX2: 10 },
      { subscriptionIdentifier: 'b;cam', rtspUrl: 'rtsp://u:p@h/1', cropX1: 1, cropX2: 5 },
    ]);
    expect(skipped.map(({ displayId, reason }) => [displayId, reason])).toEqual([
      ['c', 'no-playlist'],
      ['d', 'playlist-without-model'],
      ['e', 'no-camera'],
    ]);
  });

  it('accepts a client without transactions, and passes errors through', async () => {
    const { display } = prisma;
    const withoutTransactions: DisplayReader = { display };
    expect((await readAll(withoutTransactions)).subscriptions).toHaveLength(2);
    const broken = { display: { findMany: () => Promise.reject(new Error('database is unavailable')) } };
    await expect(readAll(broken)).rejects.toThrow('database is unavailable');
  });

  it('reads one snapshot although rows change between its statements', async () => {
    // Prisma reads displays first and the relations afterwards; a write in between must not be half visible.
    let written = false;
    const racing = prisma.$extends({
      query: {
        async $allOperations({ operation, args, query }) {
          const result = await query(args);
          if (operation === 'findMany' && !written) {
            written = true;
            await prisma.camera.update({
              where: { cameraIdentifier: 'cam' },
              data: { rtspUrl: 'rtsp://h/changed' },
            });
          }
          return result;
        },
      },
    });
    const twice = {
      display: prisma.display,
      $transaction: <R>(work: (tx: DisplayReader) => Promise<R>, options: object): Promise<R> =>
        racing.$transaction(async (tx) => {
          await tx.display.findMany();
          return work(tx);
        }, options),
    };
    const { subscriptions } = await readAll(twice);
    expect(written).toBe(true);
    expect(subscriptions.map((s) => s.rtspUrl)).toEqual(['rtsp://u:p@h/1', 'rtsp://u:p@h/1']);
    const later = await readAll(prisma);
    expect(later.subscriptions.map((s) => s.rtspUrl)).toEqual(['rtsp://h/changed', 'rtsp://h/changed']);
  });
});

describe('PrismaDesiredSource with more displays than fit into a page', () => {
  const MANY = 1_203;
  /** Milliseconds. */
  const TIMEOUT = 20_000;
  let observer: pg.Client;

  beforeAll(async () => {
    const displayIds = Array.from({ length: MANY }, (_, i) => `many-${String(i).padStart(4, '0')}`);
    await prisma.display.createMany({
      data: displayIds.map((displayId) => ({ displayId, cameraIdentifier: 'cam', playlistId: 1 })),
    });
    observer = new pg.Client({
      connectionString: `${serverUrl.slice(0, serverUrl.lastIndexOf('/'))}/${name}`,
    });
    await observer.connect();
  });
  afterAll(() => observer.end());

  const noOpenTransaction = () =>
    eventually('the transaction to end', TIMEOUT, async () => {
      const { rows } = await observer.query(
        `select 1 from pg_stat_activity where datname = $1 and state <> 'idle' and pid <> pg_backend_pid()`,
        [name],
      );
      return rows.length === 0;
    });

  it('reads one snapshot although displays change between its pages', async () => {
    const before = await readAll(prisma);
    expect(before.subscriptions).toHaveLength(MANY + 2);
    const seen: DesiredState[] = [];
    for await (const page of new PrismaDesiredSource(prisma).read()) {
      if (seen.length === 0) {
        await prisma.display.delete({ where: { displayId: 'many-1200' } });
        await prisma.display.create({
          data: { displayId: 'many-9999', cameraIdentifier: 'cam', playlistId: 1 },
        });
        await prisma.camera.update({
          where: { cameraIdentifier: 'cam' },
          data: { rtspUrl: 'rtsp://h/later' },
        });
      }
      seen.push(page);
    }
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.flatMap(({ subscriptions }) => subscriptions)).toEqual(before.subscriptions);
    const after = (await readAll(prisma)).subscriptions;
    expect(after.at(-1)).toMatchObject({
      subscriptionIdentifier: 'many-9999;cam',
      rtspUrl: 'rtsp://h/later',
    });
    expect(after).toHaveLength(MANY + 2);
  });

  it('reads the rows that are named in pages, too', async () => {
    const pages: DesiredState[] = [];
    for await (const page of new PrismaDesiredSource(prisma).readSome({ models: [1] })) pages.push(page);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flatMap(({ subscriptions }) => subscriptions)).toHaveLength(MANY + 2);
  });

  it('limits the time of a page, not of the whole', async () => {
    const timeout = 4_000;
    const began = performance.now();
    let pages = 0;
    for await (const _ of new PrismaDesiredSource(prisma, { timeout }).read())
      if (++pages === 1)
        await eventually('more than the limit', TIMEOUT, () => performance.now() - began > timeout);
    expect(pages).toBeGreaterThan(2);
  });

  it('ends its transaction when the reader leaves', async () => {
    for await (const _ of new PrismaDesiredSource(prisma).read()) break;
    await noOpenTransaction();
  });

  it('gives up a page that the database does not return, and ends its transaction', async () => {
    await observer.query('begin; lock table "Display" in access exclusive mode');
    const reading = (async () => {
      for await (const _ of new PrismaDesiredSource(prisma, { timeout: 200 }).read());
    })();
    await expect(reading).rejects.toThrow('the database has not answered within 200 ms');
    await observer.query('rollback');
    await noOpenTransaction();
    // Prisma may still send the last query of that page, into the next transaction of the connection. That read fails, too.
    await eventually('all displays', 20_000, () =>
      readAll(prisma).then(
        ({ subscriptions }) => subscriptions.length === MANY + 2,
        () => false,
      ),
    );
  });

  it('fails when it gets no connection in time', async () => {
    const refusing: PrismaDesiredClient = {
      display: prisma.display,
      $transaction: () => Promise.reject(new Error('Unable to start a transaction in the given time.')),
    };
    await expect(readAll(refusing)).rejects.toThrow('Unable to start a transaction');
  });
});

/** A table whose `displayId` is not unique. */
const tableOf = (ids: readonly (string | null)[]): DisplayReader => ({
  display: {
    findMany: ({ take, ...query }) => {
      const { displayId } = (query as { where?: { displayId?: { gte: string } } }).where ?? {};
      const rows = ids
        .map((id, i) => ({
          displayId: id,
          createdAt: new Date(0),
          cropX1: null,
          camera: { cameraIdentifier: `c${i}`, rtspUrl: 'rtsp://h/1' },
          playlist: { model: { id: 1, name: 'cars' } },
        }))
        .filter(
          (row) => displayId === undefined || (row.displayId !== null && row.displayId >= displayId.gte),
        );
      return Promise.resolve(rows.slice(0, take));
    },
  },
});

describe('PrismaDesiredSource with a schema of another kind', () => {
  it.each([
    ['at the end of a page', [3, 600, 1, 496, 2]],
    ['more than fit into a page', [1_700, 3, 2_300]],
    ['one row each', Array.from({ length: 1_501 }, () => 1)],
  ])('reads each row once where a display has several: %s', async (_, counts) => {
    const ids = counts.flatMap((count, i) =>
      Array.from({ length: count }, () => `d${String(i).padStart(5, '0')}`),
    );
    const { subscriptions, skipped } = await readAll(tableOf(ids));
    expect(subscriptions.map((each) => each.subscriptionIdentifier)).toEqual(
      ids.map((id, i) => `${id};c${i}`),
    );
    expect(skipped).toEqual([]);
  });

  it('refuses to read on from a display without an id, instead of leaving displays out', async () => {
    await expect(readAll(tableOf(Array.from({ length: 600 }, () => null)))).rejects.toThrow(
      /^displayId: must not be null/,
    );
  });
});
