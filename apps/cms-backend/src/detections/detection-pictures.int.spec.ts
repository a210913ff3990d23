import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cameraPicture } from '../../../detector-worker/src/streams/scene.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { eventually } from '../eventually.fixture.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { openDatabase } from '../stores/stores.module.js';
import { createPrismaClient } from '../stores/prisma-client.js';
import { DetectionPictures } from './detection-pictures.js';
import { DetectionStore } from './detection-store.js';
import { DetectionSweeper } from './detection-sweeper.js';
import { openPictures, type PictureStore } from './picture-store.js';
import { startS3Server } from './s3-server.fixture.js';
import { received } from './stored.fixture.js';

const HOUR = 3_600_000;
const JPEG = cameraPicture('gate');
const S3 = { region: 'eu-test-1', credentials: { accessKeyId: 'the-key', secretAccessKey: 'secret' } };

const withPicture = (pictureId: string | null, receivedAt = new Date()) => ({
  receivedAt: receivedAt.toISOString(),
  data: { detection: { pictureId } },
});

describe.each(['a directory', 'a bucket'])('pictures of detections in %s', (kind) => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let prisma: PrismaClient;
  let files: PictureStore;
  let names: () => Promise<readonly string[]>;
  let stop: () => Promise<void>;
  let store: DetectionStore;
  let pictures: DetectionPictures;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await createTestDatabase();
    const opened = openDatabase(database.url);
    pool = opened.pool;
    prisma = createPrismaClient(opened);
    if (kind === 'a directory') {
      const directory = await mkdtemp(join(tmpdir(), 'pictures-'));
      files = await openPictures({ directory }, {});
      names = async () =>
        (await readdir(directory, { recursive: true })).filter((name) => name.includes('.')).sort();
      stop = () => rm(directory, { recursive: true });
    } else {
      const server = await startS3Server();
      files = await openPictures({ bucket: 'evidence', prefix: 'lpr/' }, { ...S3, endpoint: server.url });
      names = async () => [...server.objects.keys()].sort();
      stop = () => server.stop();
    }
  });
  afterAll(async () => {
    await stop?.();
    await pool?.end();
    await database?.drop();
  });

  let fetched: (pictureId: string) => Buffer;
  beforeEach(() => {
    fetched = () => JPEG;
    pictures = new DetectionPictures({
      prisma,
      store: Promise.resolve(files),
      fetch: async (_identifier, moment) => fetched(moment!.pictureId),
    });
    store = new DetectionStore(prisma, 'node', (rows) => pictures.want(rows));
  });
  afterEach(async () => {
    await store.close();
    for (const name of ['1', '2', '3', '4']) await pictures.remove(name);
    await prisma.storedDetection.deleteMany();
  });

  const settled = (count: number) =>
    eventually(async () => expect(pictures.stats().kept + pictures.stats().missed).toBe(count));
  const sweep = async (bytes: number) => {
    const limits = { hours: 24, rows: 1_000, pictures: { place: { directory: '/' }, bytes } };
    const election = { lease: { isValid: () => true } };
    const sweeper = new DetectionSweeper({ prisma, election, limits, pictures });
    await sweeper.sweep();
    await sweeper.stop();
  };
  const kept = async () => {
    const found = await Promise.all(['1', '2', '3', '4'].map((id) => pictures.read(id)));
    return found.map((picture) => picture?.equals(JPEG) ?? null);
  };

  it('are kept for detections that have one, and deleted with their rows', async () => {
    store.add(received('1', withPicture('a', new Date(Date.now() - 25 * HOUR))));
    store.add(received('2', withPicture('b')));
    store.add(received('3', withPicture(null)));
    await settled(2);
    expect(await kept()).toEqual([true, true, null, null]);
    expect(await names()).toHaveLength(2);
    await sweep(Number.MAX_SAFE_INTEGER);
    expect(await kept()).toEqual([null, true, null, null]);
    expect(await names()).toHaveLength(1);
  });

  it('are given only while their rows exist', async () => {
    store.add(received('1', withPicture('a')));
    await settled(1);
    await prisma.storedDetection.deleteMany();
    expect(await names()).toHaveLength(1);
    expect(await kept()).toEqual([null, null, null, null]);
  });

  it('lose the oldest beyond their bytes, and the rows stay', async () => {
    for (const id of ['1', '2', '3', '4']) store.add(received(id, withPicture(id)));
    await settled(4);
    await sweep(2.5 * JPEG.length);
    expect(await kept()).toEqual([null, null, true, true]);
    expect(await names()).toHaveLength(2);
    expect(await prisma.storedDetection.count()).toBe(4);
  });

  it('are missed if the worker gives no JPEG, or one that is too large, and others are kept', async () => {
    fetched = (pictureId) => {
      if (pictureId === 'gone') throw new Error('no-frame');
      if (pictureId === 'html') return Buffer.from('<script>');
      return pictureId === 'large' ? Buffer.concat([JPEG, Buffer.alloc(3_000_000)]) : JPEG;
    };
    for (const [index, id] of ['gone', 'html', 'large', 'good'].entries())
      store.add(received(String(index + 1), withPicture(id)));
    await settled(4);
    expect(pictures.stats()).toEqual({ kept: 1, missed: 3 });
    expect(await kept()).toEqual([null, null, null, true]);
    expect(await names()).toHaveLength(1);
  });

  it('are not said to exist if the store does not take them', async () => {
    files.put = () => Promise.reject(new Error('the disk is full'));
    try {
      store.add(received('1', withPicture('a')));
      await settled(1);
      expect(await prisma.storedDetection.findMany({ select: { pictureBytes: true } })).toEqual([
        { pictureBytes: null },
      ]);
    } finally {
      // The method of the class again.
      Reflect.deleteProperty(files, 'put');
    }
  });

  it('are kept once, whichever process gets the detection again', async () => {
    store.add(received('1', withPicture('a')));
    await settled(1);
    fetched = () => Buffer.concat([JPEG, Buffer.alloc(10)]);
    pictures.want([{ ...(await prisma.storedDetection.findFirstOrThrow()), boxes: [] }]);
    await eventually(async () => expect(await kept()).toEqual([true, null, null, null]));
  });
});
