import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { startTestApp, type TestApp } from '../test-app.fixture.js';
import { SharedRedis } from '../stores/shared-redis.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { IdempotencyStore, KEPT_FOR } from './idempotency-store.js';

const model = (name: string) => ({ name, fileKey: 'k' });

describe('requests with an Idempotency-Key', () => {
  let database: TestDatabase;
  let apps: TestApp[] = [];
  const prefix = `test-${randomUUID()}`;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      KEY_PREFIX: `${prefix}:`,
      LOCK_NAME: prefix,
      API_KEYS: 'ops:operate:key-of-ops dev:operate:key-of-dev',
    };
    apps = [await startTestApp(env), await startTestApp(env)];
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await database?.drop();
  });

  const send = (
    method: string,
    path: string,
    body: unknown,
    key: string,
    { app = 0, caller = 'key-of-ops' } = {},
  ) => apps[app]!.send(method, path, body, { 'x-api-key': caller, 'idempotency-key': key });
  const names = () =>
    apps[0]!.app.get(SharedRedis, { strict: false }).commands.keys(`${prefix}:cms:idempotency:*`);
  const entries = async () => {
    const { commands } = apps[0]!.app.get(SharedRedis, { strict: false });
    return Promise.all(
      (await names()).map(async (name) => ({
        name,
        text: (await commands.get(name))!,
        ttl: await commands.pttl(name),
      })),
    );
  };

  it('are carried out once, and every process repeats the first answer', async () => {
    const key = randomUUID();
    const first = await send('POST', '/api/models', model('once'), key);
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    for (const app of [0, 1]) {
      const again = await send('POST', '/api/models', model('once'), key, { app });
      expect([again.status, again.body]).toEqual([201, first.body]);
      for (const header of ['location', 'etag'])
        expect(again.headers.get(header)).toBe(first.headers.get(header));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    const path = first.headers.get('location')!;
    const removal = randomUUID();
    for (let n = 0; n < 2; n++) expect((await send('DELETE', path, undefined, removal)).status).toBe(204);
    expectProblem(await send('DELETE', path, undefined, randomUUID()), 404);
  });

  it(
    'are recorded once',
    async () => {
      const key = randomUUID();
      const headers = { 'x-api-key': 'key-of-ops' };
      for (let n = 0; n < 2; n++) await send('POST', '/api/models', model('recorded'), key);
      await eventually(async () => {
        const { body } = await apps[0]!.send<{ items: { target?: unknown }[] }>(
          'GET',
          '/api/cluster/events',
          undefined,
          headers,
        );
        expect(body.items.filter(({ target }) => target === 'recorded')).toHaveLength(1);
      });
    },
    2 * TIMEOUT,
  );

  it('are refused for another body, path, method', async () => {
    const key = randomUUID();
    const { body } = await send('POST', '/api/models', model('bound'), key);
    const other = [
      ['POST', '/api/models', model('other')],
      ['POST', '/api/models?x=1', model('bound')],
      ['POST', '/api/playlists', model('bound')],
      ['PATCH', `/api/models/${String(body.id)}`, model('bound')],
    ] as const;
    for (const [method, path, sent] of other) {
      const problem = expectProblem(await send(method, path, sent, key), 422);
      expect(problem.type).toBe('urn:cms-backend:problem:idempotency-key-reused');
    }
  });

  it('are those of one caller: the same key of another one is another key', async () => {
    const key = randomUUID();
    await send('POST', '/api/models', model('mine'), key);
    const other = await send('POST', '/api/models', model('mine'), key, { caller: 'key-of-dev' });
    expect(expectProblem(other, 409).type).toBe('urn:cms-backend:problem:conflict');
  });

  it('get a 409 while the first one is in progress', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        send('POST', '/api/models', model('parallel'), key, { app: n % 2 }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(expectProblem(answer, 409).type).toBe('urn:cms-backend:problem:request-in-progress');
      expect(answer.headers.get('retry-after')).not.toBeNull();
    }
    const store = apps[0]!.app.get(IdempotencyStore, { strict: false });
    const held = {
      caller: 'ops',
      key: randomUUID(),
      method: 'POST',
      url: '/api/models',
      body: model('held'),
    };
    expect(await store.begin(held)).toEqual({ state: 'new' });
    expectProblem(await send('POST', '/api/models', held.body, held.key), 409);
  });

  it('can be repeated after a failure', async () => {
    const key = randomUUID();
    expectProblem(await send('POST', '/api/playlists', { name: 'late', modelId: 2_000_000_000 }, key), 409);
    expectProblem(await send('POST', '/api/models', { name: 'late' }, key), 422);
    expect((await send('POST', '/api/models', model('late'), key)).status).toBe(201);
  });

  it.each(['', 'ü', 'x'.repeat(256), 'a b'])('are refused with the key "%s"', async (key) => {
    const sent = await send('POST', '/api/models', model('never'), key);
    expect(expectProblem(sent, 422).errors).toMatchObject([{ parameter: 'idempotency-key' }]);
  });

  it.each([
    ['garbage', (commands: Redis, name: string) => commands.set(name, '{"finger')],
    ['null', (commands: Redis, name: string) => commands.set(name, 'null')],
    ['an answer of another shape', (commands: Redis, name: string) => commands.set(name, '{"answer":7}')],
    ['a list', (commands: Redis, name: string) => commands.multi().del(name).rpush(name, 'x').exec()],
  ])('are carried out when another program has written %s to their key in Redis', async (_what, damage) => {
    const key = randomUUID();
    const before = new Set(await names());
    expect((await send('POST', '/api/models', model(key), key)).status).toBe(201);
    const [name] = (await names()).filter((each) => !before.has(each));
    await damage(apps[0]!.app.get(SharedRedis, { strict: false }).commands, name!);
    // The model of this name exists.
    expectProblem(await send('POST', '/api/models', model(key), key), 409);
    expect((await send('POST', '/api/models', model(`${key}-2`), key)).status).toBe(201);
  });

  it('store neither the key nor the body in Redis, and are forgotten after a day', async () => {
    const key = randomUUID();
    const camera = { cameraIdentifier: 'secret', rtspUrl: 'rtsp://u:hunter2@192.0.2.1/1' };
    await send('POST', '/api/cameras', camera, key);
    const found = await entries();
    expect(found.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toMatch(new RegExp(`hunter2|${key}`));
    const [kept] = found.filter(({ text }) => text.includes('"secret"'));
    expect(kept!.ttl).toBeGreaterThan(KEPT_FOR - 60_000);
    expect(kept!.ttl).toBeLessThanOrEqual(KEPT_FOR);
  });
});
