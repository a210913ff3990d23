import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@detector-cluster/dev-services';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PrismaClient } from '../../../../apps/cms-backend/src/generated/prisma/client.js';
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
