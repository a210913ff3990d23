import { startPostgres } from '@detector-cluster/dev-services';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { startTestApp, type TestApp } from '../test-app.fixture.js';
import { isSafe } from './request-checks.js';

interface Entry {
  readonly entryId: string;
  readonly by: string;
  readonly address: string;
  readonly action: string;
  readonly target: string | null;
  readonly status: number;
  readonly problem: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

const OPERATOR = { 'x-api-key': 'key-of-ops' };
const READER = { 'x-api-key': 'key-of-grafana' };
const KEYS = 'ops:operate:key-of-ops grafana:read:key-of-grafana';

describe('the audit trail', () => {
  let database: TestDatabase;
  let api: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    api = await startTestApp({
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      API_KEYS: KEYS,
      TRUSTED_PROXY: '127.0.0.1, ::1, ::ffff:127.0.0.1',
      TRUSTED_PROXY_OPERATORS: 'operators',
      TRUSTED_PROXIES: '1',
    });
  }, TIMEOUT);
  afterAll(async () => {
    await api?.close();
    await database?.drop();
  }, TIMEOUT);

  /** Newest first. */
  const entries = async (query = '', of = api) => {
    const answer = await of.send<{ items: Entry[] }>('GET', `/api/audit?${query}`, undefined, READER);
    expect(answer.status).toBe(200);
    return answer.body.items;
  };
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    api.send(method, path, body, { ...OPERATOR, ...headers });

  it(
    'has one entry for each action, whichever it is, and whether it is carried out or refused',
    async () => {
      const { body } = await send('GET', '/api/openapi.json', undefined);
      const actions = Object.entries(
        body.paths as Record<string, Record<string, { readonly operationId: string }>>,
      ).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([method]) => !isSafe(method.toUpperCase()))
          .map(([method, { operationId }]) => ({ path, method: method.toUpperCase(), operationId })),
      );
      expect(actions.length).toBeGreaterThan(20);
      for (const { path, method, operationId } of actions) {
        const at = path.replaceAll(/\{\w+\}/g, '7');
        const refused = await send(method, at, {}, READER);
        const { status } = await send(method, at, method === 'DELETE' ? undefined : {});
        expect(refused.status).toBe(403);
        const found = await entries(`action=${operationId}&limit=2`);
        expect(found).toMatchObject([
          { by: 'ops', status, problem: status < 400 ? null : expect.stringMatching(/./) },
          { by: 'grafana', status: 403, problem: 'grafana may only read', before: null, after: null },
        ]);
        expect(new Set(found.map(({ entryId }) => entryId)).size).toBe(2);
        expect(found.map(({ target }) => target)).toEqual(path.includes('{') ? ['7', '7'] : [null, null]);
      }
    },
    4 * TIMEOUT,
  );

  it(
    'says what was before and after, without secrets, and cuts nothing',
    async () => {
      const camera = { cameraIdentifier: 'gate', rtspUrl: 'rtsp://u:hunter2@192.0.2.1/1' };
      await send('POST', '/api/cameras', camera);
      await send('PATCH', '/api/cameras/gate', { rtspUrl: 'rtsp://u:hunter3@192.0.2.9/1' });
      expectProblem(await send('POST', '/api/cameras', camera), 409);
      expectProblem(await send('POST', '/api/cameras', { ...camera, rtspUrl: 'ftp://u:hunter4@x/' }), 422);
      await send('DELETE', '/api/cameras/gate', undefined);
      const found = await entries('text=gate');
      const [stored, moved] = ['192.0.2.1', '192.0.2.9'].map((host) => ({ rtspUrl: `rtsp://***@${host}/1` }));
      expect(found).toMatchObject([
        { action: 'camerasRemove', status: 204, before: moved, after: null },
        {
          action: 'camerasCreate',
          status: 422,
          problem: expect.stringContaining('#/rtspUrl: must be a URL'),
        },
        {
          action: 'camerasCreate',
          status: 409,
          problem: '#/cameraIdentifier: cameraIdentifier is already taken',
        },
        { action: 'camerasUpdate', status: 200, before: stored, after: moved },
        { action: 'camerasCreate', status: 201, before: null, after: stored, target: 'gate', by: 'ops' },
      ]);
      expect(JSON.stringify(found)).not.toContain('hunter');

      const items = Array.from({ length: 1_000 }, (_, n) => ({
        displayId: `wall-${n}`,
        name: 'n'.repeat(200),
      }));
      const put = (name: string) =>
        send(
          'PUT',
          '/api/displays',
          { items: items.map((item) => ({ ...item, name })) },
          { 'if-match': '*' },
        );
      await put('old');
      await send('PUT', '/api/displays?dryRun=true', { items }, { 'if-match': '*' });
      await put('new');
      const [second, first, ...others] = await entries('action=displaysPutAll&text=wall-');
      expect(others).toEqual([]);
      expect(first).toMatchObject({ before: [], target: items.map(({ displayId }) => displayId).join(', ') });
      for (const [changed, name] of [
        [first!.after, 'old'],
        [second!.before, 'old'],
        [second!.after, 'new'],
      ] as const)
        expect((changed as { name: string }[]).map((each) => each.name)).toEqual(items.map(() => name));
    },
    4 * TIMEOUT,
  );

  it(
    'has the name that the trusted proxy gives, and the address of its client',
    { timeout: 2 * TIMEOUT },
    async () => {
      const user = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'operators' };
      const from = { 'x-forwarded-for': '192.0.2.7' };
      await api.send('DELETE', '/api/cameras/none', undefined, { ...user, ...from });
      await api.send('DELETE', '/api/cameras/none', undefined, { 'x-forwarded-user': 'bob', ...from });
      // Strangers have no name, and do not fill the trail.
      await api.send('DELETE', '/api/cameras/none', undefined, { ...from, 'x-api-key': 'wrong' });
      expect(await entries('text=none')).toMatchObject([
        { by: 'bob', address: '192.0.2.7', status: 403 },
        { by: 'ann', address: '192.0.2.7', status: 404 },
      ]);
    },
  );

  it('counts a repetition with the same key once', { timeout: 2 * TIMEOUT }, async () => {
    const headers = { 'idempotency-key': 'one' };
    for (const _ of [1, 2]) await send('POST', '/api/models', { name: 'once', fileKey: 'x' }, headers);
    expectProblem(await send('POST', '/api/models', { name: 'once-2', fileKey: 'x' }, headers), 422);
    expect(await entries('text=once')).toMatchObject([{ status: 422 }, { status: 201 }]);
  });

  it('is read page by page, and by name and time', { timeout: 2 * TIMEOUT }, async () => {
    const begun = new Date().toISOString();
    for (let n = 0; n < 3; n++) await send('DELETE', `/api/cameras/paged-${n}`, undefined);
    const query = `text=OPS&from=${begun}&limit=2`;
    const first = await api.send<{ items: Entry[]; nextCursor: string }>(
      'GET',
      `/api/audit?${query}`,
      undefined,
      READER,
    );
    const rest = await entries(`${query}&cursor=${first.body.nextCursor}`);
    expect([...first.body.items, ...rest].map(({ target }) => target)).toEqual(
      [2, 1, 0].map((n) => `paged-${n}`),
    );
    expect(await entries(`to=${begun}&text=paged-`)).toEqual([]);
    expectProblem(await send('GET', '/api/audit?cursor=rubbish', undefined), 422);
  });

  it(
    'keeps what happens while the database is unavailable, until it is stored',
    async () => {
      const postgres = await startPostgres();
      await applyMigrations(postgres.url, MIGRATIONS_DIRECTORY);
      const app = await startTestApp({
        DATABASE_URL: postgres.url,
        REDIS_URL: process.env.REDIS_URL,
        API_KEYS: KEYS,
      });
      try {
        await postgres.kill();
        const remove = () => app.send('DELETE', '/api/cameras/lost', undefined, OPERATOR);
        expectProblem(await remove(), 503);
        await postgres.start();
        await eventually(async () =>
          expect(await entries('text=lost', app)).toMatchObject([{ status: 503, by: 'ops' }]),
        );
      } finally {
        await app.close();
        await postgres.stop();
      }
    },
    4 * TIMEOUT,
  );
});
