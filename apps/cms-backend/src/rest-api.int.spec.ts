import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.fixture.js';
import { type TestApp, useTestApp } from './test-app.fixture.js';
import type { Page } from './http/pagination.js';

describe('REST API', () => {
  const api = useTestApp();

  const send = <T = Record<string, unknown>>(...args: Parameters<TestApp['send']>) => api.send<T>(...args);
  describe('a camera', () => {
    const cameraIdentifier = 'hall/one ü%20#1?x';
    const path = `/api/cameras/${encodeURIComponent(cameraIdentifier)}`;

    it('is created, read, listed, changed and removed', async () => {
      const rtspUrl = 'rtsp://user:s3cret@192.0.2.10:554/stream1';
      const created = await send('POST', '/api/cameras', {
        cameraIdentifier,
        rtspUrl,
        snapshotUrl: 'http://u:pw@192.0.2.10/snap?token=abc&w=1',
        snapshotInterval: 5000,
        cropX1: 0,
        cropY1: 0,
        cropX2: 10,
        cropY2: 20,
      });
      expect(created.status).toBe(201);
      expect(created.headers.get('location')).toBe(path);
      expect(created.body).toEqual({
        cameraIdentifier,
        rtspUrl: 'rtsp://***@192.0.2.10:554/stream1',
        snapshotUrl: 'http://***@192.0.2.10/snap?***',
        snapshotInterval: 5000,
        cropX1: 0,
        cropY1: 0,
        cropX2: 10,
        cropY2: 20,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        etag: expect.stringMatching(/^[\w-]{22}$/),
      });
      expect((await send('GET', path)).body).toEqual(created.body);

      const changed = await send('PATCH', path, {
        snapshotUrl: null,
        cropX1: null,
        cropY1: null,
        cropX2: null,
        cropY2: null,
      });
      expect(changed.status).toBe(200);
      expect(changed.body).toMatchObject({ snapshotUrl: null, snapshotInterval: 5000, cropX1: null });

      expect((await send('DELETE', path)).status).toBe(204);
      expectProblem(await send('GET', path), 404);
      expectProblem(await send('DELETE', path), 404);
      expectProblem(await send('PATCH', path, { snapshotUrl: null }), 404);
    });

    it('keeps its password when a redacted URL is echoed', async () => {
      await send('POST', '/api/cameras', { cameraIdentifier: 'echo', rtspUrl: 'rtsp://u:pw@192.0.2.1/s' });
      const { body } = await send<{ rtspUrl: string }>('GET', '/api/cameras/echo');
      const answer = await send('PATCH', '/api/cameras/echo', {
        rtspUrl: body.rtspUrl,
        snapshotInterval: 500,
      });
      const problem = expectProblem(answer, 422);
      expect(problem.errors).toEqual([
        { pointer: '#/rtspUrl', detail: expect.stringMatching(/leave the field out to keep what is stored/) },
      ]);
      expect((await send('GET', '/api/cameras/echo')).body).toMatchObject({ snapshotInterval: null });
    });

    it('is refused with every problem and where it is', async () => {
      const answer = await send('POST', '/api/cameras', {
        cameraIdentifier: 'a;b',
        rtspUrl: 'nonsense',
        snapshotInterval: 1,
        'un/known~': 1,
        cropX1: -1,
      });
      const { errors = [] } = expectProblem(answer, 422);
      expect(new Map(errors.map(({ pointer, detail }) => [pointer, detail]))).toEqual(
        new Map([
          ['#/cameraIdentifier', 'must not contain ";"'],
          ['#/rtspUrl', 'must be a URL that starts with rtsp://, rtsps://, http://, https://'],
          ['#/snapshotInterval', 'must be at least 100 (milliseconds)'],
          ['#/un~1known~0', 'is not known here'],
          ['#/cropX1', 'must be at least 0'],
        ]),
      );
    });

    it.each([
      'a\u0000b',
      'a\nb',
      'a\u200bb',
      'a\u202eb',
      ' a',
      'a ',
      'a\u00a0b',
      'cafe\u0301',
      'a;b',
      '',
      '  ',
      '.',
      '..',
      'x'.repeat(257),
      '\ud800',
      7,
      null,
    ])('is refused with the identifier %j', async (bad) => {
      const answer = await send('POST', '/api/cameras', { cameraIdentifier: bad, rtspUrl: 'rtsp://h/s' });
      expect(expectProblem(answer, 422).errors).toEqual([
        { pointer: '#/cameraIdentifier', detail: expect.stringMatching(/^must /) },
      ]);
    });

    it('is refused when its identifier is taken', async () => {
      const camera = { cameraIdentifier: 'taken', rtspUrl: 'rtsp://192.0.2.1/s' };
      expect((await send('POST', '/api/cameras', camera)).status).toBe(201);
      expect(expectProblem(await send('POST', '/api/cameras', camera), 409).errors).toEqual([
        { pointer: '#/cameraIdentifier', detail: 'cameraIdentifier is already taken' },
      ]);
    });
  });

  describe('a display', () => {
    it('follows its camera and outlives it', async () => {
      await send('POST', '/api/cameras', { cameraIdentifier: 'cam-d', rtspUrl: 'rtsp://192.0.2.1/s' });
      const model = await send<{ id: number }>('POST', '/api/models', { name: 'm-d', fileKey: 'a/b.mpta' });
      const playlist = await send<{ id: number }>('POST', '/api/playlists', {
        name: 'p-d',
        modelId: model.body.id,
      });
      const created = await send('POST', '/api/displays', {
        displayId: 'display-d',
        cameraIdentifier: 'cam-d',
        playlistId: playlist.body.id,
      });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({ name: '', cameraIdentifier: 'cam-d', cropX1: null });

      // A renamed camera stays with its displays.
      expect((await send('PATCH', '/api/cameras/cam-d', { cameraIdentifier: 'cam-e' })).status).toBe(200);
      expect((await send('GET', '/api/displays/display-d')).body).toMatchObject({
        cameraIdentifier: 'cam-e',
      });

      await send('DELETE', '/api/cameras/cam-e?detach=true');
      await send('DELETE', `/api/playlists/${playlist.body.id}?detach=true`);
      const { body } = await send('GET', '/api/displays/display-d');
      expect(body).toMatchObject({ cameraIdentifier: null, playlistId: null });
      expect((await send('PATCH', '/api/displays/display-d', { name: 'Hall' })).body).toMatchObject({
        name: 'Hall',
      });
      expect((await send('DELETE', '/api/displays/display-d')).status).toBe(204);
    });

    it.each([
      ['cameraIdentifier', { cameraIdentifier: 'nowhere' }],
      ['playlistId', { playlistId: 2_000_000_000 }],
    ])('is refused when its %s does not exist', async (field, reference) => {
      const answer = await send('POST', '/api/displays', { displayId: 'lost', ...reference });
      expect(expectProblem(answer, 409).errors).toEqual([
        { pointer: `#/${field}`, detail: `${field} refers to an entry that does not exist` },
      ]);
    });

    it.each([
      [{ cropX1: 1 }, ['#/cropY1', '#/cropX2', '#/cropY2']],
      [{ cropX1: 5, cropY1: 5, cropX2: 5, cropY2: 4 }, ['#/cropX2', '#/cropY2']],
      [{ cropX1: 1, cropY1: 2, cropX2: 3, cropY2: null }, ['#/cropY2']],
    ])('is refused with the crop %j', async (crop, pointers) => {
      const { errors = [] } = expectProblem(
        await send('POST', '/api/displays', { displayId: 'c', ...crop }),
        422,
      );
      expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
    });
  });

  it.each(['models', 'playlists'])('%s have numeric ids', async (kind) => {
    const body = kind === 'models' ? { name: 'one', fileKey: 'one.mpta' } : { name: 'one' };
    const created = await send<{ id: number }>('POST', `/api/${kind}`, body);
    const path = `/api/${kind}/${created.body.id}`;
    expect(created.headers.get('location')).toBe(path);
    expect((await send('PATCH', path, { name: 'two' })).body).toMatchObject({
      id: created.body.id,
      name: 'two',
    });
    expectProblem(await send('PATCH', path, {}), 422);
    expect((await send('DELETE', path)).status).toBe(204);
    expectProblem(await send('GET', path), 404);
    expect(expectProblem(await send('GET', `/api/${kind}/abc`), 422).errors?.[0]).toMatchObject({
      parameter: 'id',
    });
    expectProblem(await send('GET', `/api/${kind}/99999999999`), 422);
  });

  it('pages through a list without loss or repetition', async () => {
    const names = Array.from({ length: 7 }, (_, i) => `page-${i}`);
    for (const name of names) await send('POST', '/api/models', { name, fileKey: 'x' });
    const seen: string[] = [];
    let query = '?limit=3';
    for (let pages = 0; pages < 20; pages++) {
      const { status, body } = await send<Page<{ name: string }>>('GET', `/api/models${query}`);
      expect(status).toBe(200);
      expect(body.items.length).toBeLessThanOrEqual(3);
      seen.push(...body.items.map(({ name }) => name));
      if (body.nextCursor === null) break;
      query = `?limit=3&cursor=${body.nextCursor}`;
    }
    expect(seen.filter((name) => name.startsWith('page-'))).toEqual(names);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['page=1', 'page'],
  ])('refuses the query %s', async (query, parameter) => {
    const { errors } = expectProblem(await send('GET', `/api/cameras?${query}`), 422);
    expect(errors).toEqual([{ parameter, detail: expect.stringMatching(/./) }]);
  });

  it('answers malformed requests with problem details', async () => {
    expectProblem(await send('GET', '/nowhere'), 404);
    expectProblem(await send('GET', '/api/cameras/%FF'), 400);
    expectProblem(await send('POST', '/api/models', '{"name":'), 400);
    expectProblem(await send('POST', '/api/models', 'name=x', { 'content-type': 'text/plain' }), 415);
    expectProblem(await send('POST', '/api/models', { name: 'x'.repeat(1_100_000), fileKey: 'k' }), 413);
    for (const body of ['[]', 'null', '"x"', undefined]) {
      const answer = await send('POST', '/api/models', body);
      expect([400, 422]).toContain(answer.status);
      expectProblem(answer, answer.status);
    }
  });
});
