import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { type TestApp, useTestApp } from '../test-app.fixture.js';
import type { Page } from '../http/pagination.js';
import type { PutResult, Removal } from './entries.schema.js';

const RTSP = 'rtsp://user:hunter2@192.0.2.1/live';

interface Entry extends Record<string, unknown> {
  readonly id: number;
  readonly etag: string;
}

describe('entries', () => {
  const api = useTestApp();

  const send = <T = Entry>(...args: Parameters<TestApp['send']>) => api.send<T>(...args);
  const add = async (path: string, body: object) => {
    const answer = await send(`POST`, `/api/${path}`, body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const put = (kind: string, items: readonly object[], query = '', headers: Record<string, string> = {}) =>
    send<PutResult>('PUT', `/api/${kind}${query}`, { items }, headers);
  const keys = async (path: string) => {
    const { body } = await send<Page<Record<string, unknown>>>('GET', `/api/${path}`);
    return body.items.map(({ displayId, cameraIdentifier, name }) => displayId ?? cameraIdentifier ?? name);
  };

  /** The answers to requests that begin while a statement is not committed. It is committed when so many of them wait for it. */
  const whileLocked = async <T>(
    statement: string,
    values: unknown[],
    waiting: number,
    requests: () => Promise<T>[],
  ): Promise<T[]> => {
    const client = new pg.Client({ connectionString: api.database.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(statement, values);
      const answers = Promise.all(requests());
      await eventually(async () => {
        // Within a transaction, PostgreSQL reads the activity only once.
        await client.query('SELECT pg_stat_clear_snapshot()');
        const { rows } = await client.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(waiting);
      });
      await client.query('COMMIT');
      return await answers;
    } finally {
      await client.end();
    }
  };

  describe('versions', () => {
    it('change with each change, also by a cascade, and are the ETag', async () => {
      await add('cameras', { cameraIdentifier: 'v', rtspUrl: RTSP });
      await add('displays', { displayId: 'v', cameraIdentifier: 'v' });
      const read = async (path: string) => {
        const { headers, body } = await send('GET', `/api/${path}`);
        expect(headers.get('etag')).toBe(`"${body.etag}"`);
        return body.etag;
      };
      const camera = await read('cameras/v');
      const display = await read('displays/v');
      expect(await read('cameras/v')).toBe(camera);
      const changed = await send('PATCH', '/api/cameras/v', { rtspUrl: 'rtsp://user:other@192.0.2.1/live' });
      expect(changed.body.etag).not.toBe(camera);
      expect(await read('cameras/v')).toBe(changed.body.etag);
      await send('PATCH', '/api/cameras/v', { cameraIdentifier: 'w' });
      expect(await read('displays/v')).not.toBe(display);
    });

    it.each(['PATCH', 'DELETE'])('guard a %s that names one in If-Match', async (method) => {
      const { id, etag } = await add('models', { name: `guard-${method}`, fileKey: 'k' });
      const body = method === 'PATCH' ? { fileKey: 'l' } : undefined;
      const change = (ifMatch: string) => send(method, `/api/models/${id}`, body, { 'if-match': ifMatch });
      for (const stale of ['"another"', `W/"${etag}"`, '"a", "b"'])
        expect(expectProblem(await change(stale), 412).detail).toMatch(/has changed since/);
      for (const wrong of [etag, '""x', ''])
        expect(expectProblem(await change(wrong), 422).errors).toMatchObject([{ parameter: 'if-match' }]);
      expect((await send('GET', `/api/models/${id}`)).body.fileKey).toBe('k');
      expect((await change(`"another", "${etag}"`)).status).toBe(method === 'PATCH' ? 200 : 204);
      expectProblem(await change(`"${etag}"`), method === 'PATCH' ? 412 : 404);
      expect((await change('*')).status).toBe(method === 'PATCH' ? 200 : 404);
    });

    it(
      'let one of two simultaneous changes of one version pass',
      async () => {
        const { id, etag } = await add('models', { name: 'race', fileKey: 'k' });
        const answers = await whileLocked('SELECT 1 FROM "Model" WHERE id = $1 FOR UPDATE', [id], 2, () =>
          ['k1', 'k2'].map((fileKey) =>
            send('PATCH', `/api/models/${id}`, { fileKey }, { 'if-match': `"${etag}"` }),
          ),
        );
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
        const [winner] = answers.filter(({ status }) => status === 200);
        expect((await send('GET', `/api/models/${id}`)).body).toEqual(winner!.body);
      },
      2 * TIMEOUT,
    );

    it('are not needed for changes, which then wait for each other', async () => {
      const { id } = await add('models', { name: 'hot', fileKey: 'k' });
      const answers = await whileLocked(`UPDATE "Model" SET "fileKey" = 'other' WHERE id = $1`, [id], 7, () =>
        Array.from({ length: 7 }, (_, i) => send('PATCH', `/api/models/${id}`, { fileKey: `k${i}` })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 200));
    });
  });

  describe('a removal', () => {
    it('of an entry in use is refused and names its users, unless they are detached', async () => {
      const model = await add('models', { name: 'used', fileKey: 'k' });
      const playlist = await add('playlists', { name: 'used', modelId: model.id });
      await add('cameras', { cameraIdentifier: 'used', rtspUrl: RTSP });
      for (let n = 10; n < 35; n++)
        await add('displays', {
          displayId: `used-${n}`,
          ...(n < 12 && { cameraIdentifier: 'used' }),
          playlistId: playlist.id,
        });
      const refused = async (path: string) => {
        const problem = expectProblem(await send('DELETE', `/api/${path}`), 409);
        expect(problem).toMatchObject({ type: 'urn:cms-backend:problem:in-use', code: 'IN_USE' });
        expect((await send<Removal>('GET', `/api/${path}/removal`)).body.usedBy).toEqual(problem.usedBy);
        return problem.usedBy;
      };
      expect(await refused('cameras/used')).toEqual({
        total: 2,
        items: [
          { kind: 'display', key: 'used-10' },
          { kind: 'display', key: 'used-11' },
        ],
      });
      expect(await refused(`models/${model.id}`)).toEqual({
        total: 1,
        items: [{ kind: 'playlist', key: 'used' }],
      });
      const users = await refused(`playlists/${playlist.id}`);
      expect([users!.total, users!.items.length]).toEqual([25, 20]);
      for (const path of ['cameras/used', `models/${model.id}`, `playlists/${playlist.id}`]) {
        expectProblem(await send('DELETE', `/api/${path}?detach=yes`), 422);
        expect((await send('DELETE', `/api/${path}?detach=true`)).status).toBe(204);
        expectProblem(await send('GET', `/api/${path}/removal`), 404);
      }
      expect((await send('GET', '/api/displays/used-10')).body).toMatchObject({
        cameraIdentifier: null,
        playlistId: null,
      });
    });

    it('of many entries at once does not fail because of the others', async () => {
      const ids = Array.from({ length: 30 }, (_, i) => `gone-${i}`);
      for (const cameraIdentifier of ids) {
        await add('cameras', { cameraIdentifier, rtspUrl: RTSP });
        await add('displays', { displayId: cameraIdentifier, cameraIdentifier });
      }
      const answers = await Promise.all(ids.map((id) => send('DELETE', `/api/displays/${id}`)));
      expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 204));
    });

    it('does not detach a display that is added at the same time', async () => {
      await add('cameras', { cameraIdentifier: 'raced', rtspUrl: RTSP });
      const adding = `INSERT INTO "Display" ("displayId", "cameraIdentifier", "updatedAt") VALUES ('raced', $1, now())`;
      const [removal] = await whileLocked(adding, ['raced'], 1, () => [send('DELETE', '/api/cameras/raced')]);
      expect(expectProblem(removal!, 409).usedBy).toEqual({
        total: 1,
        items: [{ kind: 'display', key: 'raced' }],
      });
      expect((await send('GET', '/api/displays/raced')).body.cameraIdentifier).toBe('raced');
    });
  });

  describe('a bulk PUT', () => {
    it('adds what does not exist and changes the rest, keeping what is left out', async () => {
      await add('cameras', { cameraIdentifier: 'bulk-1', rtspUrl: RTSP, snapshotInterval: 500 });
      await add('cameras', { cameraIdentifier: 'bulk-2', rtspUrl: RTSP });
      const { etag } = (await send('GET', '/api/cameras/bulk-1')).body;
      const answer = await put('cameras', [
        { cameraIdentifier: 'bulk-1', snapshotUrl: 'http://192.0.2.1/s', etag },
        { cameraIdentifier: 'bulk-2' },
        { cameraIdentifier: 'bulk-3', rtspUrl: RTSP },
      ]);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          dryRun: false,
          created: 1,
          changed: 1,
          unchanged: 1,
          items: [
            { key: 'bulk-1', outcome: 'changed', etag },
            { key: 'bulk-2', outcome: 'unchanged' },
            { key: 'bulk-3', outcome: 'created', etag: null },
          ],
          impact: null,
        },
      });
      expect((await send('GET', '/api/cameras/bulk-1')).body).toMatchObject({
        rtspUrl: 'rtsp://***@192.0.2.1/live',
        snapshotUrl: 'http://192.0.2.1/s',
        snapshotInterval: 500,
      });
      expect(await keys('cameras?text=bulk')).toEqual(['bulk-1', 'bulk-2', 'bulk-3']);
    });

    it('renames an entry that is named by its id', async () => {
      const { id, etag } = await add('playlists', { name: 'before' });
      expect((await put('playlists', [{ id, name: 'after', etag }])).body).toMatchObject({ changed: 1 });
      expect((await send('GET', `/api/playlists/${id}`)).body.name).toBe('after');
      expect(expectProblem(await put('playlists', [{}]), 422).errors).toMatchObject([
        { pointer: '#/items/0/name' },
      ]);
    });

    it('writes nothing if an item is wrong, and names the problems of each', async () => {
      const wrong = await put('displays', [
        { displayId: 'all-or-none' },
        { displayId: 'twice' },
        { displayId: 'twice' },
        { displayId: 'lost', cameraIdentifier: 'nowhere', playlistId: 2_000_000_000 },
      ]);
      expect(expectProblem(wrong, 422).errors).toEqual([
        { pointer: '#/items/3/cameraIdentifier', detail: expect.stringMatching(/add it first/) },
        { pointer: '#/items/3/playlistId', detail: expect.stringMatching(/add it first/) },
        { pointer: '#/items/2/displayId', detail: 'is also in item 1: give each display once' },
      ]);
      const cameras = await put('cameras', [
        { cameraIdentifier: 'all-or-none', rtspUrl: RTSP },
        { cameraIdentifier: 'no-url' },
        { cameraIdentifier: 'metadata', rtspUrl: 'rtsp://169.254.169.254/' },
      ]);
      expect(expectProblem(cameras, 422).errors).toMatchObject([
        { pointer: '#/items/1/rtspUrl', detail: expect.stringMatching(/^must be given/) },
        { pointer: '#/items/2/rtspUrl' },
      ]);
      expect(expectProblem(await put('models', [{ id: 2_000_000_000 }]), 422).errors).toMatchObject([
        { pointer: '#/items/0/id' },
        { pointer: '#/items/0/fileKey' },
      ]);
      await add('models', { name: 'taken-a', fileKey: 'k' });
      const { id } = await add('models', { name: 'taken-b', fileKey: 'k' });
      const taken = await put(
        'models',
        [
          { name: 'all-or-none', fileKey: 'k' },
          { id, name: 'taken-a' },
        ],
        '',
        {
          'if-match': '*',
        },
      );
      expect(expectProblem(taken, 409).errors).toMatchObject([{ pointer: '#/items/1/name' }]);
      for (const kind of ['displays', 'cameras', 'models'])
        expect(await keys(`${kind}?text=all-or-none`)).toEqual([]);
    });

    it('lists at most 100 problems', async () => {
      const items = Array.from({ length: 130 }, (_, n) => ({ cameraIdentifier: `n${n}` }));
      const problem = expectProblem(await put('cameras', items), 422);
      expect(problem.errors).toHaveLength(100);
      expect(problem.detail).toBe('130 problems, the first 100 are in errors');
    });

    it('asks for the versions of entries that it would change', async () => {
      const { etag } = await add('models', { name: 'cond', fileKey: 'k' });
      const change = (item: object, headers = {}) =>
        put('models', [{ name: 'cond', fileKey: 'l', ...item }], '', headers);
      expect(expectProblem(await change({}), 428).errors).toMatchObject([{ pointer: '#/items/0' }]);
      expect(expectProblem(await change({ etag: 'another' }), 412).errors).toMatchObject([
        { pointer: '#/items/0/etag' },
      ]);
      expect(expectProblem(await change({}, { 'if-match': `"${etag}"` }), 422).errors).toMatchObject([
        { parameter: 'if-match' },
      ]);
      expectProblem(await put('models', [{ name: 'gone', fileKey: 'k', etag }]), 412);
      expect((await change({ fileKey: 'k' })).body).toMatchObject({ unchanged: 1 });
      expect((await change({ etag })).body).toMatchObject({ changed: 1 });
      expectProblem(await change({ etag, fileKey: 'm' }), 412);
      expect((await change({ fileKey: 'm' }, { 'if-match': '*' })).body).toMatchObject({ changed: 1 });
    });

    it('writes nothing in a dry run, whose versions guard the later request', async () => {
      await add('models', { name: 'dry', fileKey: 'k' });
      const items = [
        { name: 'dry', fileKey: 'l' },
        { name: 'dry-new', fileKey: 'n' },
      ];
      const { body } = await put('models', items, '?dryRun=true');
      expect(body).toMatchObject({ dryRun: true, created: 1, changed: 1, impact: { starts: [], stops: [] } });
      expect(await keys('models?text=dry')).toEqual(['dry']);
      const etag = body.items[0]!.etag!;
      await send('PATCH', `/api/models/${(await idOf('models', 'dry'))!}`, { fileKey: 'other' });
      expectProblem(await put('models', [{ ...items[0]!, etag }, items[1]!]), 412);
      expect(await keys('models?text=dry')).toEqual(['dry']);
    });

    it('takes a thousand items', async () => {
      const items = Array.from({ length: 1_000 }, (_, n) => ({
        cameraIdentifier: `many-${String(n).padStart(4, '0')}`,
        rtspUrl: RTSP,
      }));
      expect((await put('cameras', items)).body).toMatchObject({ created: 1_000 });
      expect((await put('cameras', items, '?dryRun=true')).body).toMatchObject({ unchanged: 1_000 });
      const one = expectProblem(await put('cameras', [...items, items[0]!]), 422);
      expect(one.errors).toEqual([{ pointer: '#/items', detail: 'must have at most 1000 items' }]);
    });
  });

  const idOf = async (kind: string, name: string) =>
    (await send<Page<Entry>>('GET', `/api/${kind}?text=${name}`)).body.items.find(
      (entry) => entry.name === name,
    )?.id;

  const pages = async (path: string) => {
    const seen: unknown[] = [];
    for (let cursor = ''; ;) {
      const { body } = await send<Page<Entry>>('GET', `/api/${path}&limit=1${cursor}`);
      seen.push(...body.items.map(({ displayId, name }) => displayId ?? name));
      if (body.nextCursor === null) return seen;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };

  describe('a list', () => {
    beforeAll(async () => {
      const { id } = await add('models', { name: 'list-model', fileKey: 'k' });
      for (const [n, name] of ['b', 'a', 'c', 'a'].entries())
        await add('displays', { displayId: `list-${n}`, name: `list-${name}` });
      await add('playlists', { name: 'list-with', modelId: id });
      await add('playlists', { name: 'list-without' });
    });

    it.each([
      ['', ['list-0', 'list-1', 'list-2', 'list-3']],
      ['name', ['list-1', 'list-3', 'list-0', 'list-2']],
      ['-name', ['list-2', 'list-0', 'list-3', 'list-1']],
      ['displayId', ['list-0', 'list-1', 'list-2', 'list-3']],
      ['-createdAt', ['list-3', 'list-2', 'list-1', 'list-0']],
      ['updatedAt', ['list-0', 'list-1', 'list-2', 'list-3']],
    ])('is sorted by "%s" over all its pages', async (sort, expected) => {
      const order = sort === '' ? '' : `&sort=${sort}`;
      expect(await pages(`displays?text=LIST${order}`)).toEqual(expected);
    });

    it('is filtered by text and by what its entries refer to', async () => {
      const model = await idOf('models', 'list-model');
      expect(await keys(`playlists?modelId=${model!}`)).toEqual(['list-with']);
      expect(await keys('displays?text=list-a&sort=-displayId')).toEqual(['list-3', 'list-1']);
      expect(await keys('displays?text=list&cameraIdentifier=nowhere')).toEqual([]);
      // The search treats wildcards of SQL as text.
      for (const text of ['%', '_', '\\'])
        expect(await keys(`displays?text=${encodeURIComponent(text)}`)).toEqual([]);
    });

    it.each([
      ['displays?sort=cropX1', 'sort'],
      ['displays?playlistId=x', 'playlistId'],
      ['cameras?playlistId=1', 'playlistId'],
      [`displays?sort=name&cursor=${cursor(['', '', '5'])}`, 'cursor'],
      [`displays?cursor=${cursor(['', '', 'x'])}`, 'cursor'],
      [`displays?cursor=${cursor(['', '', '99999999999'])}`, 'cursor'],
      [`displays?sort=name&cursor=${cursor(['name', '\u0000', '5'])}`, 'cursor'],
      [`displays?sort=createdAt&cursor=${cursor(['createdAt', 'then', '5'])}`, 'cursor'],
      [`displays?cursor=${cursor({})}`, 'cursor'],
      ['cluster/workers?sort=state', 'sort'],
      ['cluster/workers?cursor=nonsense', 'cursor'],
    ])('refuses %s', async (path, parameter) => {
      expect(expectProblem(await send('GET', `/api/${path}`), 422).errors).toMatchObject([{ parameter }]);
    });
  });
});

function cursor(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}
