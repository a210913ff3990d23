import { closeRedis } from '@detector-cluster/election/redis';
import * as fc from 'fast-check';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { mergeRows, type ChangedRows } from '../sources/changed-rows.js';
import { desiredFromDisplays, type DisplayRow } from '../sources/desired-from-displays.js';
import type { DesiredState, DesiredStateSource } from '../sources/desired-state-source.js';
import { readOf, requestStore } from '../sources/requests.fixture.js';
import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { clusterKeys } from '../shared/cluster-keys.js';
import { FencedStore } from '@detector-cluster/election/fence';
import { DesiredStateStore, type Regeneration } from './desired-state-store.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const redis: Redis = openPatientRedis(process.env.REDIS_URL!);
afterAll(() => closeRedis(redis));

const noCrop = { cropX1: null, cropY1: null, cropX2: null, cropY2: null };

/** A database in memory whose snapshots do not change. */
class Database {
  private readonly displays = new Map<string, { camera: string | null; version: number }>();
  private readonly cameras = new Map<string, string>([
    ['c0', 'rtsp://h/0'],
    ['c1', 'rtsp://h/1'],
    ['c2', 'rtsp://h/2'],
  ]);

  /** Returns the rows that changed. */
  show(displayId: string, camera: string | null): ChangedRows {
    const version = (this.displays.get(displayId)?.version ?? 0) + 1;
    this.displays.set(displayId, { camera, version });
    return { displays: [displayId] };
  }

  remove(displayId: string): ChangedRows {
    this.displays.delete(displayId);
    return { displays: [displayId] };
  }

  /** The displays lose the camera, which is all that is announced. */
  removeCamera(camera: string): ChangedRows {
    for (const display of this.displays.values()) if (display.camera === camera) display.camera = null;
    this.cameras.delete(camera);
    return { cameras: [camera] };
  }

  putCamera(camera: string, rtspUrl: string): ChangedRows {
    this.cameras.set(camera, rtspUrl);
    return { cameras: [camera] };
  }

  rows(): DisplayRow[] {
    return [...this.displays].sort().map(([displayId, { camera, version }]) => ({
      displayId,
      createdAt: '2026-01-01T00:00:00.000Z',
      ...noCrop,
      camera:
        camera === null || !this.cameras.has(camera)
          ? null
          : {
              cameraIdentifier: camera,
              rtspUrl: this.cameras.get(camera)!,
              snapshotUrl: null,
              snapshotInterval: null,
              ...noCrop,
            },
      playlist: { model: { id: version, name: 'cars' } },
    }));
  }
}

/** Reads a database in pages of two displays. Between two of them, the test has its turn. */
class PagedSource implements DesiredStateSource {
  /** Called between pages; also before the first one, when there is no snapshot yet. */
  between: (page: number) => Promise<void> = () => Promise.resolve();

  constructor(private readonly database: Database) {}

  async *read(): AsyncGenerator<DesiredState> {
    await this.between(0);
    const rows = this.database.rows();
    for (let page = 0; page * 2 <= rows.length; page++) {
      if (page > 0) await this.between(page);
      yield desiredFromDisplays(rows.slice(page * 2, page * 2 + 2));
    }
  }

  readSome({ displays = [], cameras = [] }: ChangedRows): Promise<DesiredState> {
    const rows = this.database
      .rows()
      .filter(
        ({ displayId, camera }) =>
          displays.includes(displayId) || (camera !== null && cameras.includes(camera.cameraIdentifier)),
      );
    return Promise.resolve(desiredFromDisplays(rows));
  }
}

async function open(source: DesiredStateSource, requests: readonly DesiredCameraSubscription[] = []) {
  const keys = clusterKeys(`{test-${randomUUID()}}:`);
  const store = new FencedStore(redis, keys.fence, 1);
  await store.raise();
  const explicit = requestStore(redis, keys, null);
  for (const request of requests) await explicit.put(request);
  const desired = new DesiredStateStore(store, keys, source, readOf(explicit), () => Promise.resolve());
  const state = async () => ({
    entries: Object.fromEntries([...desired.entries].sort()),
    desired: await redis.hgetall(keys.desired),
    skipped: await redis.hgetall(keys.skipped),
  });
  return { desired, explicit, state };
}

const request = (subscriptionIdentifier: string): DesiredCameraSubscription => ({
  subscriptionIdentifier,
  rtspUrl: 'rtsp://explicit',
  modelId: 9,
  modelName: 'explicit',
  modelUrl: 'http://m/9',
  createdAt: '2026-01-01T00:00:00.000Z',
});

/** What a reader of everything at once sees now. */
async function readAtOnce(database: Database, requests: readonly DesiredCameraSubscription[] = []) {
  const whole = await open({ read: () => Promise.resolve(desiredFromDisplays(database.rows())) }, requests);
  await whole.desired.regenerate();
  return await whole.state();
}

const display = fc.nat(7).map((n) => `d${n}`);
const camera = fc.nat(2).map((n) => `c${n}`);
type Write = (database: Database) => ChangedRows;
const named = (name: string, write: Write): Write => Object.assign(write, { toString: () => name });
const write: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(display, fc.option(camera))
      .map(([id, cameraId]) => named(`show ${cameraId} on ${id}`, (db) => db.show(id, cameraId))),
  },
  display.map((id) => named(`remove ${id}`, (db) => db.remove(id))),
  camera.map((id) => named(`remove ${id}`, (db) => db.removeCamera(id))),
  fc
    .tuple(camera, fc.constantFrom('rtsp://h/a', 'rtsp://h/b'))
    .map(([id, url]) => named(`put ${id} at ${url}`, (db) => db.putCamera(id, url))),
);
/** Before each page: writes, and whether the master then reads what was announced until now. */
const turn = fc.record({ writes: fc.array(write, { maxLength: 3 }), reads: fc.boolean() });

describe('a read of everything, page by page', () => {
  it('gives the result of reading everything at once, whatever is written and read between its pages', async () => {
    let between = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 12 }),
        fc.array(turn, { minLength: 8, maxLength: 16 }),
        async (before, turns) => {
          const database = new Database();
          const requests = [request('d0;c0'), request('d3;c1')];
          const source = new PagedSource(database);
          const { desired, state } = await open(source, requests);
          for (const each of before) each(database);
          await desired.regenerate();

          let hasSnapshot = true;
          let announced: ChangedRows = {};
          const readAnnounced = async () => {
            const rows = announced;
            announced = {};
            const some = await desired.regenerateSome(rows);
            expect(some).not.toBeNull();
          };
          const left = [...turns];
          const play = async ({ writes, reads }: { writes: Write[]; reads: boolean }) => {
            for (const each of writes) announced = mergeRows(announced, each(database))!;
            if (!reads || !hasSnapshot) return;
            between++;
            await readAnnounced();
          };
          source.between = async (page) => {
            hasSnapshot = page > 0;
            const next = left.shift();
            if (next !== undefined) await play(next);
          };
          // As the gate does: what was announced before the read began may still be read on its own.
          for (let reads = 0; reads < 2; reads++) {
            const { outdated }: Regeneration = await desired.regenerate();
            announced = mergeRows(announced, { displays: [...outdated] })!;
            hasSnapshot = true;
          }
          await readAnnounced();
          expect(await state()).toEqual(await readAtOnce(database, requests));
        },
      ),
      { numRuns: 150 },
    );
    expect(between).toBeGreaterThan(100);
  });

  it('does not put an older state in place of a newer one, not even until its next read', async () => {
    const database = new Database();
    for (let i = 0; i < 8; i++) database.show(`d${i}`, 'c0');
    const source = new PagedSource(database);
    const { desired, state } = await open(source);
    await desired.regenerate();
    source.between = async (page) => {
      // d0 was read before, d5 is read later.
      if (page !== 2) return;
      await desired.regenerateSome(mergeRows(database.show('d0', 'c1'), database.remove('d5'))!);
      expect(await state()).toEqual(await readAtOnce(database));
    };
    await desired.regenerate();
    expect(await state()).toEqual(await readAtOnce(database));
  });

  it('has a display read again that had a camera in its snapshot which has been removed since', async () => {
    const database = new Database();
    for (let i = 0; i < 8; i++) database.show(`d${i}`, 'c0');
    const source = new PagedSource(database);
    const { desired, state } = await open(source);
    await desired.regenerate();
    // The write is not announced yet.
    database.show('d5', 'c1');
    source.between = async (page) => {
      if (page === 1) await desired.regenerateSome(database.removeCamera('c1'));
    };
    const { outdated } = await desired.regenerate();
    expect(outdated).toEqual(['d5']);
    await desired.regenerateSome({ displays: outdated });
    expect(await state()).toEqual(await readAtOnce(database));
  });

  it('takes what was read in between, although it arrives after its own end', async () => {
    const database = new Database();
    for (let i = 0; i < 8; i++) database.show(`d${i}`, 'c0');
    const source = new PagedSource(database);
    const test = new EventEmitter();
    const slow: DesiredStateSource = {
      read: () => source.read(),
      async readSome(rows) {
        const state = await source.readSome(rows);
        await once(test, 'answers');
        return state;
      },
    };
    const { desired, state } = await open(slow);
    await desired.regenerate();
    let small: Promise<unknown> | undefined;
    source.between = (page) => {
      if (page === 1)
        small = desired.regenerateSome(mergeRows(database.show('d0', 'c1'), database.remove('d5'))!);
      return Promise.resolve();
    };
    await desired.regenerate();
    expect(Object.keys((await state()).desired)).toContain('d0;c0');
    test.emit('answers');
    await small;
    expect(await state()).toEqual(await readAtOnce(database));
  });

  it('asks for no page while a small read runs', async () => {
    // The limit of this courtesy does not pass.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const database = new Database();
      for (let i = 0; i < 8; i++) database.show(`d${i}`, 'c0');
      const source = new PagedSource(database);
      const slow: DesiredStateSource = {
        read: () => source.read(),
        async readSome(rows) {
          for (let turn = 0; turn < 20; turn++) await nextTurn();
          return await source.readSome(rows);
        },
      };
      const { desired } = await open(slow);
      await desired.regenerate();
      const seen: string[] = [];
      const smallReads: Promise<unknown>[] = [];
      const readSome = async () => {
        await desired.regenerateSome(database.show('d0', 'c1'));
        seen.push('small read');
      };
      source.between = (page) => {
        seen.push(`page ${page}`);
        if (page === 2) smallReads.push(readSome());
        return Promise.resolve();
      };
      await desired.regenerate();
      await Promise.all(smallReads);
      expect(seen).toEqual(['page 0', 'page 1', 'page 2', 'small read', 'page 3', 'page 4']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('removes nothing when it ends early', async () => {
    const database = new Database();
    for (let i = 0; i < 8; i++) database.show(`d${i}`, 'c0');
    const source = new PagedSource(database);
    const { desired, state } = await open(source);
    await desired.regenerate();
    const before = await state();
    for (let i = 0; i < 8; i++) database.remove(`d${i}`);
    source.between = (page) =>
      page === 0 ? Promise.resolve() : Promise.reject(new Error('the database is unavailable'));
    database.show('d0', 'c1');
    database.show('d9', 'c1');
    database.show('d91', 'c1');
    await expect(desired.regenerate()).rejects.toThrow('unavailable');
    expect(await state()).toEqual(before);
    source.between = () => Promise.resolve();
    await desired.regenerate();
    expect(await state()).toEqual(await readAtOnce(database));
  });

  it('takes requests that were made and withdrawn since the last read', async () => {
    const database = new Database();
    for (let i = 0; i < 4; i++) database.show(`d${i}`, 'c0');
    const source = new PagedSource(database);
    const { desired, explicit, state } = await open(source, [request('d8;c8'), request('d1;c0')]);
    await desired.regenerate();
    await explicit.remove('d8;c8');
    await explicit.put(request('d9;c9'));
    database.remove('d1');
    await desired.regenerate();
    const requests = [request('d9;c9'), request('d1;c0')];
    expect(await state()).toEqual(await readAtOnce(database, requests));
    expect([...desired.entries.keys()].sort()).toEqual(['d0;c0', 'd1;c0', 'd2;c0', 'd3;c0', 'd9;c9']);
  });
});
