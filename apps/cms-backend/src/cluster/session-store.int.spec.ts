import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { startTestApp } from '../test-app.fixture.js';
import { PrismaClient } from '../generated/prisma/client.js';
import { MAX_DATA, SessionStore } from './session-store.js';

const idsOf = async (store: SessionStore) =>
  (await store.list({ limit: 10, sort: '-updatedAt' })).items.map((one) => one.sessionId);

describe('SessionStore', () => {
  let database: TestDatabase;
  let prisma: PrismaClient;
  let store: SessionStore;
  beforeAll(async () => {
    database = await createTestDatabase();
    prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: database.url }) });
    store = new SessionStore(prisma, 3);
  });
  beforeEach(async () => {
    await prisma.storedSession.deleteMany();
  });
  afterAll(async () => {
    await prisma?.$disconnect();
    await database?.drop();
  });

  const take = (sessionId: number, data: unknown, signal = new AbortController().signal) =>
    store.take({ sessionId, data, workerUrl: 'ws://w' }, signal);
  const dataOf = async (sessionId: number) => (await store.read(sessionId))?.data;

  it('adds the fields of each patch to those before', async () => {
    expect(await store.read(7)).toBeNull();
    expect(await take(7, { plate: 'A', colour: 'red' })).toEqual({ success: true });
    await take(7, { plate: 'B', seen: [1] });
    expect(await store.read(7)).toMatchObject({
      sessionId: 7,
      data: { plate: 'B', colour: 'red', seen: [1] },
      workerUrl: 'ws://w',
      patches: 2,
    });
  });

  it('loses no field when patches come at once', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `field ${n}`);
    await Promise.all(names.map((name) => take(7, { [name]: true })));
    expect(Object.keys((await dataOf(7)) ?? {}).toSorted()).toEqual(names);
    expect(await store.read(7)).toMatchObject({ patches: 10 });
  });

  it.each([
    ['any text', 7, { 'a\u0000b': 'c\u0000d \ud800 "\\u0000', list: [null, { deep: 1.5 }] }],
    ['the largest session', Number.MAX_SAFE_INTEGER, { a: 1 }],
    ['the lowest session', Number.MIN_SAFE_INTEGER, { a: null }],
  ])('keeps %s', async (_name, sessionId, data) => {
    expect(await take(sessionId, data)).toEqual({ success: true });
    expect(JSON.stringify(await dataOf(sessionId))).toBe(JSON.stringify(data));
  });

  it('refuses what is no set of fields, and more than fits', async () => {
    for (const data of [undefined, null, 1, 'text', [1]])
      expect(await take(7, data)).toMatchObject({
        success: false,
        message: expect.stringMatching(/^data: must be/),
      });
    await take(7, { a: 'x'.repeat(MAX_DATA / 2) });
    expect(await take(7, { b: 'x'.repeat(MAX_DATA / 2) })).toMatchObject({
      success: false,
      message: expect.stringMatching(/^data: the session would take more/),
    });
    expect(Object.keys((await dataOf(7)) ?? {})).toEqual(['a']);
  });

  it('keeps the sessions that were patched last', async () => {
    for (const [sessionId, minutes] of [
      [1, 1],
      [2, 4],
      [3, 2],
    ] as const) {
      await take(sessionId, {});
      const updatedAt = new Date(Date.now() - minutes * 60_000);
      await prisma.storedSession.updateMany({ where: { sessionId }, data: { updatedAt } });
    }
    await take(4, {});
    expect(await idsOf(store)).toEqual([4, 1, 3]);
    await take(3, {});
    expect(await idsOf(store)).toEqual([3, 4, 1]);
  });

  it('stores nothing once the worker has its answer', async () => {
    await expect(take(7, {}, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(await store.read(7)).toBeNull();
  });

  it('says in one sentence that the database is unavailable', async () => {
    const adapter = new PrismaPg({ connectionString: 'postgresql://127.0.0.1:1/none' });
    const away = new PrismaClient({ adapter });
    const patch = { sessionId: 7, data: {}, workerUrl: 'ws://w' };
    await expect(new SessionStore(away).take(patch, new AbortController().signal)).rejects.toThrow(
      /^the database [^\n]+$/,
    );
    await away.$disconnect();
  });

  it('is read page by page over HTTP, where a wrong request gets its problem', async () => {
    const api = await startTestApp({ DATABASE_URL: database.url, REDIS_URL: process.env.REDIS_URL });
    try {
      for (const sessionId of [1, 2, 3]) await take(sessionId, { n: sessionId });
      const { body } = await api.send('GET', '/api/sessions?limit=2&sort=-createdAt');
      expect(body).toMatchObject({ items: [{ sessionId: 3, data: { n: 3 } }, { sessionId: 2 }] });
      const next = `/api/sessions?limit=2&sort=-createdAt&cursor=${String(body.nextCursor)}`;
      expect((await api.send('GET', next)).body).toMatchObject({
        items: [{ sessionId: 1 }],
        nextCursor: null,
      });
      expect((await api.send('GET', '/api/sessions/2')).body).toMatchObject({ sessionId: 2, data: { n: 2 } });
      expect(expectProblem(await api.send('GET', '/api/sessions/8'), 404).detail).toContain('session 8');
      for (const path of ['/x', '/1.5', '?sort=data', '?limit=0'])
        expectProblem(await api.send('GET', `/api/sessions${path}`), 422);
    } finally {
      await api.close();
    }
  });
});
