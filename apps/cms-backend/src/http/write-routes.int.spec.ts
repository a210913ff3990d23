import { describe, expect, it } from 'vitest';
import { expectProblem } from '../expect-problem.fixture.js';
import { useTestApp } from '../test-app.fixture.js';

interface WriteRoute {
  /** The path in the API description. */
  readonly route: string;
  /** The path with values for its parameters. */
  readonly path?: string;
  /** A valid body. */
  readonly good: Readonly<Record<string, unknown>>;
  /** Invalid bodies, and the places of their errors. */
  readonly wrong: readonly (readonly [body: unknown, ...pointers: string[]])[];
  /** Path and body for an entry that does not exist; null if the route cannot answer 404. */
  readonly missing: readonly [path: string, body: unknown] | null;
}

const KEY = 'correct-horse';
const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'toString'];

const camera = { cameraIdentifier: 'c', rtspUrl: 'rtsp://192.0.2.1/s' };
const wrongCamera: WriteRoute['wrong'] = [
  [{ ...camera, rtspUrl: 7, cameraIdentifier: {} }, '#/rtspUrl', '#/cameraIdentifier'],
  [{ ...camera, snapshotInterval: '500', snapshotUrl: [] }, '#/snapshotInterval', '#/snapshotUrl'],
  [{ ...camera, cropX1: '1', cropY1: 1, cropX2: 2, cropY2: 2 }, '#/cropX1'],
];
const wrongDisplay: WriteRoute['wrong'] = [
  [{ displayId: 1, name: 2 }, '#/displayId', '#/name'],
  [{ displayId: 'd', cameraIdentifier: true, playlistId: '1' }, '#/cameraIdentifier', '#/playlistId'],
];
const wrongModel: WriteRoute['wrong'] = [
  [{ name: null, fileKey: 1 }, '#/name', '#/fileKey'],
  [{ name: 'm', fileKey: '../../etc/passwd' }, '#/fileKey'],
];
const wrongPlaylist: WriteRoute['wrong'] = [
  [{ name: ['p'] }, '#/name'],
  [{ name: 'p', modelId: 1.5 }, '#/modelId'],
];
const worker = (what: string): WriteRoute => ({
  route: `/api/cluster/workers/{worker}/${what}`,
  path: `/api/cluster/workers/127.0.0.1:1/${what}`,
  good: {},
  wrong: [],
  missing: [`/api/cluster/workers/nowhere:1/${what}`, {}],
});
const bulk = (kind: string, good: object, wrong: WriteRoute['wrong']): WriteRoute => ({
  route: `/api/${kind}`,
  good: { items: [good] },
  wrong: [
    [{}, '#/items'],
    [{ items: [] }, '#/items'],
    [{ items: [7] }, '#/items/0'],
    ...wrong.map(([body, ...pointers]): WriteRoute['wrong'][number] => [
      { items: [good, body] },
      ...pointers.map((pointer) => pointer.replace('#/', '#/items/1/')),
    ]),
  ],
  missing: null,
});
const letters = (what: string): WriteRoute => ({
  route: `/api/cluster/dead-letters/${what}`,
  good: { ids: ['1-1-0'] },
  wrong: [
    [{}, '#/ids'],
    [{ ids: 'some' }, '#/ids'],
    [{ ids: [] }, '#/ids'],
    [{ ids: [7] }, '#/ids'],
    [{ ids: ['1-1-0', '*'] }, '#/ids/1'],
  ],
  missing: [`/api/cluster/dead-letters/${what}`, { ids: ['1-1-0', '1-2-l'] }],
});
const numbered = (kind: string, good: WriteRoute['good'], wrong: WriteRoute['wrong']): WriteRoute => ({
  route: `/api/${kind}/{id}`,
  path: `/api/${kind}/1`,
  good,
  wrong,
  missing: [`/api/${kind}/2000000000`, good],
});
const withoutFields = (route: string): WriteRoute => ({ route, good: {}, wrong: [], missing: null });

const ROUTES: Readonly<Record<string, readonly WriteRoute[]>> = {
  post: [
    {
      route: '/api/cameras',
      good: camera,
      wrong: [...wrongCamera, [{}, '#/cameraIdentifier', '#/rtspUrl']],
      missing: null,
    },
    {
      route: '/api/displays',
      good: { displayId: 'd' },
      wrong: [...wrongDisplay, [{}, '#/displayId']],
      missing: null,
    },
    { route: '/api/models', good: { name: 'm', fileKey: 'k' }, wrong: wrongModel, missing: null },
    { route: '/api/playlists', good: { name: 'p' }, wrong: wrongPlaylist, missing: null },
    withoutFields('/api/cluster/regenerate'),
    withoutFields('/api/cluster/rebalance'),
    {
      route: '/api/cluster/master/resign',
      good: { term: 1 },
      wrong: [
        [{ term: '1' }, '#/term'],
        [{ term: 0 }, '#/term'],
        [{ term: null }, '#/term'],
      ],
      missing: null,
    },
    ...['drain', 'cordon', 'uncordon'].map(worker),
    ...['replay', 'drop'].map(letters),
  ],
  put: [
    bulk('cameras', camera, wrongCamera),
    bulk('displays', { displayId: 'd' }, wrongDisplay),
    bulk('models', { name: 'm', fileKey: 'k' }, wrongModel),
    bulk('playlists', { name: 'p' }, wrongPlaylist),
    {
      route: '/api/cluster/models/{modelId}/version',
      path: '/api/cluster/models/1/version',
      good: { version: 'v' },
      wrong: [
        [{}, '#/version'],
        [{ version: 1 }, '#/version'],
        [{ version: '' }, '#/version'],
      ],
      missing: ['/api/cluster/models/2000000000/version', { version: 'v' }],
    },
    {
      route: '/api/cluster/subscriptions/{subscriptionIdentifier}/session',
      path: '/api/cluster/subscriptions/d%3Bc/session',
      good: { sessionId: 1 },
      wrong: [
        [{}, '#/sessionId'],
        [{ sessionId: '1' }, '#/sessionId'],
        [{ sessionId: 1.5 }, '#/sessionId'],
      ],
      missing: null,
    },
  ],
  patch: [
    {
      route: '/api/cameras/{cameraIdentifier}',
      path: '/api/cameras/c',
      good: { snapshotUrl: null },
      wrong: wrongCamera,
      missing: ['/api/cameras/nowhere', { snapshotUrl: null }],
    },
    {
      route: '/api/displays/{displayId}',
      path: '/api/displays/d',
      good: { name: 'x' },
      wrong: wrongDisplay,
      missing: ['/api/displays/nowhere', { name: 'x' }],
    },
    numbered('models', { name: 'x' }, wrongModel),
    numbered('playlists', { name: 'x' }, wrongPlaylist),
  ],
  delete: ['cameras/{cameraIdentifier}', 'displays/{displayId}', 'models/{id}', 'playlists/{id}'].map(
    (route) => ({
      route: `/api/${route}`,
      path: `/api/${route.replace(/\{.*/, '2000000000')}`,
      good: {},
      wrong: [],
      missing: [`/api/${route.replace(/\{.*/, '2000000000')}`, undefined],
    }),
  ),
};

const cases = Object.entries(ROUTES).flatMap(([method, routes]) =>
  routes.map((route) => [method, route.route, { path: route.route, ...route }] as const),
);
const withBody = cases.filter(([method]) => method !== 'delete');

/** `body` as JSON with one more member, whose name an object literal could not have. */
function withMember(body: object, name: string): string {
  const text = JSON.stringify(body);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}${JSON.stringify(name)}:{"polluted":1}}`;
}

describe('any request to a route that writes', () => {
  const api = useTestApp({ API_KEY: KEY });

  const send = <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => api.send<T>(method.toUpperCase(), path, body, { 'x-api-key': KEY, ...headers });

  const pointersOf = (answer: Awaited<ReturnType<typeof send>>) =>
    (expectProblem(answer, 422).errors ?? []).map(({ pointer }) => pointer).toSorted();

  it('the test covers every such route', async () => {
    const { body } = await send<{ paths: Record<string, object> }>('get', '/api/openapi.json');
    const described = Object.entries(body.paths).flatMap(([path, item]) =>
      Object.keys(item).flatMap((method) => (method === 'get' ? [] : [`${method} ${path}`])),
    );
    expect(cases.map(([method, route]) => `${method} ${route}`).toSorted()).toEqual(described.toSorted());
  });

  it.each(cases)('%s %s: 401 with a wrong key, whatever else is wrong', async (method, _, { path }) => {
    for (const key of ['', 'wrong', `${KEY}x`])
      expectProblem(await send(method, path, undefined, { 'x-api-key': key }), 401);
    const body = method === 'delete' ? undefined : { rubbish: true };
    expectProblem(await send(method, path, body, { 'x-api-key': 'wrong' }), 401);
  });

  it.each(withBody)('%s %s: 422 with the place of each error', async (method, _, { path, good, wrong }) => {
    expect(pointersOf(await send(method, path, { ...good, 'un/known': 1 }))).toEqual(['#/un~1known']);
    for (const [body, ...pointers] of wrong)
      expect(pointersOf(await send(method, path, body))).toEqual(pointers.toSorted());
    expect(pointersOf(await send(method, path, []))).toEqual(['#']);
  });

  it.each(withBody)(
    '%s %s: 422 for members with names of `Object.prototype`',
    async (method, _, { path, good }) => {
      for (const name of PROTOTYPE_KEYS)
        expect(pointersOf(await send(method, path, withMember(good, name)))).toEqual([`#/${name}`]);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  );

  it.each(withBody)('%s %s: 400, 413 and 415 for an unreadable body', async (method, _, { path, good }) => {
    for (const text of ['{"name":', '{]', '7', '"text"', '\u0000'])
      expectProblem(await send(method, path, text), 400);
    expectProblem(await send(method, path, { ...good, padding: 'x'.repeat(1_100_000) }), 413);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expectProblem(await send(method, path, JSON.stringify(good), { 'content-type': type }), 415);
  });

  it.each(
    cases.flatMap(([method, route, { missing }]) =>
      missing === null ? [] : [[method, route, missing] as const],
    ),
  )('%s %s: 404 for an entry that does not exist', async (method, _, [path, body]) => {
    expectProblem(await send(method, path, body), 404);
  });

  it('an unknown path answers 404', async () => {
    for (const method of ['post', 'put', 'patch', 'delete'])
      expectProblem(await send(method, '/api/nowhere', method === 'delete' ? undefined : {}), 404);
  });
});
