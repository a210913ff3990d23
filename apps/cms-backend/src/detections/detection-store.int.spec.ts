import { startPostgres, type PostgresService } from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../stores/stores.module.js';
import { createPrismaClient } from '../stores/prisma-client.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { DetectionStore, MAX_WAITING } from './detection-store.js';
import { DetectionSweeper } from './detection-sweeper.js';
import { findStored } from './stored-detections.controller.js';
import { received } from './stored.fixture.js';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 10);

const hoursBefore = (hours: number) => new Date(NOW - hours * HOUR).toISOString();

const labelled = (label: string) => ({ data: { detection: { licensePlateText: label } } });

describe('detections in the database', () => {
  let postgres: PostgresService;
  let pool: pg.Pool;
  let prisma: PrismaClient;
  let store: DetectionStore;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    postgres = await startPostgres();
    await applyMigrations(postgres.url, MIGRATIONS_DIRECTORY);
    const database = openDatabase(postgres.url);
    pool = database.pool;
    prisma = createPrismaClient(database);
  }, TIMEOUT);
  afterAll(async () => {
    await pool?.end();
    await postgres?.stop();
  }, TIMEOUT);
  afterEach(async () => {
    await store?.close();
    await prisma.storedDetection.deleteMany();
  });

  const opened = () => (store = new DetectionStore(prisma, 'node'));
  const written = (count: number) => eventually(async () => expect(store.stats().stored).toBe(count));
  const ids = async () =>
    (await prisma.storedDetection.findMany({ orderBy: { id: 'asc' } })).map(({ detectionId }) => detectionId);

  const find = async (query: Partial<Parameters<typeof findStored>[1]>) => {
    const { items, nextCursor } = await findStored(prisma, { limit: 50, sort: '-receivedAt', ...query });
    return { ids: items.map(({ detectionId }) => detectionId), nextCursor };
  };

  it('are written once each, however often they are delivered and by whichever process', async () => {
    opened();
    for (const id of ['1', '2', '1']) store.add(received(id));
    await written(2);
    store.add(received('2', { redelivered: true }));
    store.add(received('3'));
    await written(3);
    const other = new DetectionStore(prisma, 'other');
    other.add(received('3', { redelivered: true }));
    await other.close();
    expect(await ids()).toEqual(['1', '2', '3']);
    expect(other.stats()).toEqual({ stored: 0, dropped: 0, waiting: 0 });
  });

  it('are written whatever workers report, and do not block others', async () => {
    opened();
    const text = `a\0b\ud800${'ü'.repeat(1_000)}`;
    const detection = { label: text, confidence: 2, boxes: 'none', pictureId: '\0' };
    store.add(received('1', { data: { detection }, timestamp: '+200000-01-01T00:00:00.000Z' }));
    store.add(received('\0', { workerUrl: text, subscriptionIdentifier: `d\0;c\0` }));
    store.add(received('2'));
    await written(3);
    expect(store.stats().dropped).toBe(0);
  });

  it(
    'wait in limited number while the database is unavailable, and adding one never waits',
    async () => {
      opened();
      await postgres.kill();
      const before = performance.now();
      for (let n = 0; n < MAX_WAITING + 500; n++) store.add(received(String(n)));
      const taken = performance.now() - before;
      // Not a time limit of the product. A single wait for the database would take longer.
      expect(taken).toBeLessThan(2_000);
      expect(store.stats()).toEqual({ stored: 0, dropped: 500, waiting: MAX_WAITING });
      // An attempt fails, and the store keeps its detections.
      await sleep(2_500);
      store.add(received('last'));
      await postgres.start();
      await written(MAX_WAITING);
      expect(store.stats()).toEqual({ stored: MAX_WAITING, dropped: 501, waiting: 0 });
      const kept = await ids();
      expect([kept[0], kept.at(-1)]).toEqual(['501', 'last']);
    },
    3 * TIMEOUT,
  );

  it('are written at the end of the process, too', async () => {
    opened();
    store.add(received('1'));
    await store.close();
    expect(await ids()).toEqual(['1']);
    store.add(received('2'));
    expect(store.stats()).toEqual({ stored: 1, dropped: 1, waiting: 0 });
  });

  it('are deleted beyond the limits, by a process with a valid lease only', async () => {
    opened();
    for (let n = 0; n < 1_500; n++) store.add(received(`old-${n}`, { receivedAt: hoursBefore(25) }));
    for (let n = 0; n < 1_200; n++) store.add(received(`new-${n}`, { receivedAt: hoursBefore(1) }));
    await written(2_700);
    let valid = false;
    let asked = 0;
    let validFor = Infinity;
    const lease = { isValid: () => valid && asked++ < validFor };
    const limits = { hours: 24, rows: 1_000, pictures: null };
    const sweeper = new DetectionSweeper({
      prisma,
      election: { lease },
      limits,
      pictures: null,
      now: () => NOW,
    });
    await sweeper.sweep();
    expect(await prisma.storedDetection.count()).toBe(2_700);
    valid = true;
    validFor = 1;
    await sweeper.sweep();
    // It deleted one batch before the lease was over.
    expect(await prisma.storedDetection.count()).toBe(1_700);
    validFor = Infinity;
    await sweeper.sweep();
    const kept = await ids();
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_000, 'new-200', 'new-1199']);
    await sweeper.stop();
  });

  it('are found by camera, part of a label, and time, newest first, page by page', async () => {
    opened();
    store.add(received('1', { ...labelled('DC 0042'), timestamp: '2026-01-01T01:00:00.000Z' }));
    store.add(received('2', { ...labelled('dc-0043'), timestamp: '2026-01-01T02:00:00.000Z' }));
    store.add(received('3', { subscriptionIdentifier: 'other;gate', timestamp: '2026-01-01T03:00:00.000Z' }));
    await written(3);
    const last = { nextCursor: null };
    expect(await find({})).toEqual({ ids: ['3', '2', '1'], ...last });
    expect(await find({ camera: 'gate' })).toEqual({ ids: ['3'], ...last });
    expect(await find({ label: 'c004' })).toEqual({ ids: ['2', '1'], ...last });
    expect(await find({ label: 'DC 00-43' })).toEqual({ ids: ['2'], ...last });
    expect(await find({ camera: 'gate', label: '0043' })).toEqual({ ids: [], ...last });
    const from = new Date('2026-01-01T02:00:00.000Z');
    expect(await find({ from })).toEqual({ ids: ['3', '2'], ...last });
    expect(await find({ to: from })).toEqual({ ids: ['1'], ...last });
    const first = await find({ limit: 2 });
    expect(first.ids).toEqual(['3', '2']);
    const oldest = await find({ limit: 2, sort: 'receivedAt' });
    expect(oldest.ids).toEqual(['1', '2']);
    const next = { limit: 2, cursor: oldest.nextCursor! };
    expect(await find({ ...next, sort: 'receivedAt' })).toEqual({ ids: ['3'], ...last });
    await expect(find(next)).rejects.toThrow();
    // Detections that arrive in between do not move the pages.
    store.add(received('4'));
    await written(4);
    expect(await find({ limit: 2, cursor: first.nextCursor! })).toEqual({ ids: ['1'], ...last });
    await expect(find({ cursor: 'rubbish' })).rejects.toThrow();
  });
});
