import { closeRedis } from '@detector-cluster/election/redis';
import * as fc from 'fast-check';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PrismaClient } from '../../../../apps/cms-backend/src/generated/prisma/client.js';
import {
  allPublished,
  openTriggersDatabase,
  type TriggersDatabase,
} from '../../../../test/support/triggers-database.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { mergeRows, parseChangedRows, type ChangedRows } from '../sources/changed-rows.js';
import type { DesiredStateSource } from '../sources/desired-state-source.js';
import { readOf, requestStore } from '../sources/requests.fixture.js';
import { PrismaDesiredSource } from '../sources/prisma-desired-source.js';
import { FencedStore } from '@detector-cluster/election/fence';
import { subscriptionTriggers } from '../sources/prisma/index.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { changeFeedSql } from '../sources/change-feed/change-feed-sql.js';
import { DesiredStateStore, type Regeneration } from './desired-state-store.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const CHANNEL = 'detector_cluster_changed';
const URLS = ['rtsp://h/1', 'rtsp://h/2', 'nonsense'];

const display = fc.nat(3).map((n) => `d${n}`);
const camera = fc.nat(2).map((n) => `c${n}`);
const cameraOrNone = fc.option(camera);
const id = fc.integer({ min: 1, max: 3 });
const idOrNone = fc.option(id);
const url = fc.constantFrom(...URLS);
const crop = fc.constantFrom(null, { cropX1: 0, cropY1: 0, cropX2: 4, cropY2: 4 });

type Client = Pick<PrismaClient, 'camera' | 'display' | 'model' | 'playlist'>;
/** One write; it may fail because a row is missing or exists already. */
type Write = (client: Client) => Promise<unknown>;

const named = (name: string, write: Write): Write => Object.assign(write, { toString: () => name });

const writeArbitrary: fc.Arbitrary<Write> = fc.oneof(
  fc
    .tuple(display, cameraOrNone, idOrNone)
    .map(([displayId, cameraIdentifier, playlistId]) =>
      named(`create ${displayId} of ${cameraIdentifier}, playlist ${playlistId}`, (db) =>
        db.display.create({ data: { displayId, cameraIdentifier, playlistId } }),
      ),
    ),
  fc
    .tuple(display, cameraOrNone, crop)
    .map(([displayId, cameraIdentifier, edges]) =>
      named(`show ${cameraIdentifier} on ${displayId}`, (db) =>
        db.display.update({ where: { displayId }, data: { cameraIdentifier, ...edges } }),
      ),
    ),
  fc.tuple(display, idOrNone).map(([displayId, playlistId]) =>
    named(`playlist ${playlistId} on ${displayId}`, (db) =>
      db.display.upsert({
        where: { displayId },
        update: { playlistId },
        create: { displayId, playlistId },
      }),
    ),
  ),
  fc
    .tuple(display, camera)
    .map(([displayId, cameraIdentifier]) =>
      named(`connect ${displayId} to ${cameraIdentifier}`, (db) =>
        db.display.update({ where: { displayId }, data: { camera: { connect: { cameraIdentifier } } } }),
      ),
    ),
  fc
    .tuple(display, display)
    .map(([displayId, next]) =>
      named(`rename ${displayId} to ${next}`, (db) =>
        db.display.update({ where: { displayId }, data: { displayId: next } }),
      ),
    ),
  display.map((displayId) =>
    named(`delete ${displayId}`, (db) => db.display.delete({ where: { displayId } })),
  ),
  fc.tuple(camera, url).map(([cameraIdentifier, rtspUrl]) =>
    named(`${cameraIdentifier} at ${rtspUrl}`, (db) =>
      db.camera.upsert({
        where: { cameraIdentifier },
        update: { rtspUrl },
        create: { cameraIdentifier, rtspUrl },
      }),
    ),
  ),
  fc
    .tuple(camera, fc.uniqueArray(display, { maxLength: 2 }), fc.constantFrom('connect', 'disconnect', 'set'))
    .map(([cameraIdentifier, displays, operation]) =>
      named(`${operation} ${displays.join()} of ${cameraIdentifier}`, (db) =>
        db.camera.update({
          where: { cameraIdentifier },
          data: { displays: { [operation]: displays.map((displayId) => ({ displayId })) } },
        }),
      ),
    ),
  fc
    .tuple(camera, camera)
    .map(([cameraIdentifier, next]) =>
      named(`rename ${cameraIdentifier} to ${next}`, (db) =>
        db.camera.update({ where: { cameraIdentifier }, data: { cameraIdentifier: next } }),
      ),
    ),
  camera.map((cameraIdentifier) =>
    named(`delete ${cameraIdentifier}`, (db) => db.camera.delete({ where: { cameraIdentifier } })),
  ),
  fc.tuple(id, idOrNone).map(([playlist, modelId]) =>
    named(`model ${modelId} in playlist ${playlist}`, (db) =>
      db.playlist.upsert({
        where: { id: playlist },
        update: { modelId },
        create: { id: playlist, name: `p${playlist}`, modelId },
      }),
    ),
  ),
  id.map((playlist) =>
    named(`delete playlist ${playlist}`, (db) => db.playlist.delete({ where: { id: playlist } })),
  ),
  fc.tuple(id, fc.constantFrom('cars', 'people')).map(([model, word]) =>
    named(`model ${model} is ${word}`, (db) =>
      db.model.upsert({
        where: { id: model },
        update: { name: `${word} ${model}` },
        create: { id: model, name: `${word} ${model}`, fileKey: 'k' },
      }),
    ),
  ),
  id.map((model) => named(`delete model ${model}`, (db) => db.model.delete({ where: { id: model } }))),
  url.map((rtspUrl) => named(`all at ${rtspUrl}`, (db) => db.camera.updateMany({ data: { rtspUrl } }))),
);

/** One write alone, or several in one transaction that commits or rolls back. */
const stepArbitrary = fc.oneof(
  { weight: 4, arbitrary: writeArbitrary.map((write) => ({ writes: [write], commits: true })) },
  fc.record({ writes: fc.array(writeArbitrary, { minLength: 1, maxLength: 3 }), commits: fc.boolean() }),
);

const skippedOf = ({ skipped }: Regeneration) =>
  [...skipped.values()]
    .flat()
    .map(({ displayId, reason }) => `${displayId} ${reason}`)
    .sort();

describe('reading only the subscriptions that depend on changed rows', () => {
  let database: TriggersDatabase;
  let listener: pg.Client;
  let redis: Redis;
  let announced: (ChangedRows | null)[] = [];
  let mark = 0;

  beforeAll(async () => {
    database = await openTriggersDatabase();
    redis = openPatientRedis(process.env.REDIS_URL!);
    listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
  });
  afterAll(async () => {
    await listener.end();
    await database.close();
    closeRedis(redis);
  });
  beforeEach(() => {
    announced = [];
  });
  afterEach(async () => {
    await listener.query(changeFeedSql().remove);
    listener.removeAllListeners('notification');
  });

  async function desiredStateOf(source: DesiredStateSource) {
    const keys = clusterKeys(`{test-${randomUUID()}}:`);
    const store = new FencedStore(redis, keys.fence, 1);
    await store.raise();
    const explicit = requestStore(redis, keys, null);
    for (const subscriptionIdentifier of ['d0;c0', 'd1;c1'])
      await explicit.put({
        subscriptionIdentifier,
        rtspUrl: 'rtsp://explicit',
        modelId: 9,
        modelName: 'explicit',
        modelUrl: 'http://m/9',
        createdAt: '2026-01-01T00:00:00.000Z',
      });
    const desiredState = new DesiredStateStore(store, keys, source, readOf(explicit), () =>
      Promise.resolve(),
    );
    const state = async () => ({
      entries: Object.fromEntries([...desiredState.entries].sort()),
      desired: await redis.hgetall(keys.desired),
      skipped: await redis.hgetall(keys.skipped),
    });
    return { desiredState, state };
  }

  async function reset(): Promise<void> {
    await listener.query('truncate "Display", "Camera", "Playlist", "Model" restart identity cascade');
    const { plain } = database;
    await plain.model.create({ data: { id: 1, name: 'cars 1', fileKey: 'k' } });
    await plain.playlist.create({ data: { id: 1, name: 'p1', modelId: 1 } });
    for (const name of ['0', '1']) {
      const cameraIdentifier = `c${name}`;
      await plain.camera.create({ data: { cameraIdentifier, rtspUrl: URLS[0]! } });
      await plain.display.create({ data: { displayId: `d${name}`, cameraIdentifier, playlistId: 1 } });
    }
  }

  /** Reads the announced rows like the master. */
  async function follow(
    desiredState: DesiredStateStore,
  ): Promise<{ regeneration: Regeneration; isWhole: boolean }> {
    const rows = announced.splice(0).reduce(mergeRows, {});
    const some = rows === null ? null : await desiredState.regenerateSome(rows);
    return { regeneration: some ?? (await desiredState.regenerate()), isWhole: some === null };
  }

  /** @param client writes; what changes arrives in `announced` before `heard` resolves */
  async function checkAgainstWholeReads(client: PrismaClient, heard: () => Promise<void>): Promise<void> {
    const seen = { some: 0, all: 0 };
    const source = new PrismaDesiredSource(database.plain);
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 5, maxLength: 25 }), async (steps) => {
        await reset();
        await heard();
        announced = [];
        const [followed, whole] = [await desiredStateOf(source), await desiredStateOf(source)];
        await followed.desiredState.regenerate();
        for (const { writes, commits } of steps) {
          if (writes.length === 1) await writes[0]!(client).catch(() => undefined);
          else
            await client
              .$transaction(async (tx) => {
                for (const write of writes) await write(tx as never);
                if (!commits) throw new Error('rolled back');
              })
              .catch(() => undefined);
          await heard();
          const expected = await whole.desiredState.regenerate();
          if (announced.length > 0) {
            const { regeneration, isWhole } = await follow(followed.desiredState);
            seen[isWhole ? 'all' : 'some']++;
            expect(skippedOf(regeneration)).toEqual(skippedOf(expected));
          }
          expect(await followed.state()).toEqual(await whole.state());
        }
      }),
      { numRuns: 30 },
    );
    expect(seen.some).toBeGreaterThan(50);
  }

  it('ends the subscriptions of a deleted camera although none of its displays is named', async () => {
    await reset();
    const [followed, whole] = [
      await desiredStateOf(new PrismaDesiredSource(database.plain)),
      await desiredStateOf(new PrismaDesiredSource(database.plain)),
    ];
    await followed.desiredState.regenerate();
    await database.plain.camera.delete({ where: { cameraIdentifier: 'c0' } });
    announced = [{ cameras: ['c0'] }];
    expect((await follow(followed.desiredState)).isWhole).toBe(false);
    await whole.desiredState.regenerate();
    expect(await followed.state()).toEqual(await whole.state());
  });

  it('gives the same result as a full read for rows that the Prisma extension names', async () => {
    const client = subscriptionTriggers({ publish: ({ rows }) => announced.push(rows) })(database.plain);
    await checkAgainstWholeReads(client, allPublished);
  });

  it('gives the same result as a full read for rows that the change feed names', async () => {
    await listener.query(changeFeedSql().install);
    const marks = new Map<string, () => void>();
    listener.on('notification', ({ payload = '' }) => {
      const isMark = marks.get(payload);
      if (isMark) isMark();
      else announced.push(parseChangedRows(payload));
    });
    await listener.query(`listen ${CHANNEL}`);
    // Notifications arrive in the order of commits.
    const heard = async () => {
      const text = `mark ${++mark}`;
      const arrived = new Promise<void>((resolve) => marks.set(text, resolve));
      await listener.query(`select pg_notify('${CHANNEL}', '${text}')`);
      await arrived;
    };
    await checkAgainstWholeReads(database.plain, heard);
  });
});
