import { request, type OutgoingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { CloseCode } from '@detector-cluster/dashboard-protocol';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { greeting, PageClient } from '../dashboard/page-client.fixture.js';
import { eventually } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { startTestApp, type TestApp } from '../test-app.fixture.js';

/** Does not use `fetch`, because `fetch` adds the headers of a browser. */
async function statusOf(app: TestApp, method: string, path: string, headers: OutgoingHttpHeaders) {
  const sent = request(`${app.url}${path}`, { method, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

const user = (name: string, groups = '') => ({ 'x-forwarded-user': name, 'x-forwarded-groups': groups });

/** Plays with a service that trusts these addresses. */
async function proxied({ url }: TestDatabase, trusted: string, play: (app: TestApp) => Promise<void>) {
  const app = await startTestApp({
    DATABASE_URL: url,
    REDIS_URL: process.env.REDIS_URL,
    API_KEY: 'key-of-scripts',
    TRUSTED_PROXY: trusted,
    TRUSTED_PROXY_OPERATORS: 'operators, Root@example.com',
  });
  try {
    await play(app);
  } finally {
    await app.close();
  }
}

describe('access to the service', () => {
  let database: TestDatabase;
  let open: TestApp;
  let closed: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, REDIS_URL: process.env.REDIS_URL };
    open = await startTestApp(env);
    closed = await startTestApp({
      ...env,
      API_KEYS: 'ops:operate:key-of-ops old-ops:operate:old-key-of-ops grafana:read:key-of-grafana',
      ALLOWED_HOSTS: 'cms.example.com',
    });
  });
  afterAll(async () => {
    await open?.close();
    await closed?.close();
    await database?.drop();
  });

  it.each([
    'rtsp://169.254.169.254/latest',
    'rtsp://[fe80::1]/',
    'http://0xa9fea9fe/',
    'http://metadata.google.internal/',
  ])('stores no camera at %s', async (url) => {
    const camera = { cameraIdentifier: 'meta', rtspUrl: 'rtsp://192.0.2.1/1' };
    const refused = await open.send('POST', '/api/cameras', { ...camera, rtspUrl: url });
    expect(expectProblem(refused, 422).errors).toMatchObject([{ pointer: '#/rtspUrl' }]);
    await open.send('POST', '/api/cameras', camera);
    const changed = await open.send('PATCH', '/api/cameras/meta', { rtspUrl: url });
    expect(expectProblem(changed, 422).errors).toMatchObject([{ pointer: '#/rtspUrl' }]);
  });

  it.each(['/api/cameras', '/api/cluster/state', '/api/nowhere', '/health/ready', '/metrics'])(
    'lets no cache keep what %s answers',
    async (path) => {
      for (const app of [open, closed])
        expect((await fetch(`${app.url}${path}`)).headers.get('cache-control')).toBe('no-store');
    },
  );

  it('lists at most 100 issues of a request', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`field${n}`, n]));
    const camera = { cameraIdentifier: 'many', rtspUrl: 'rtsp://192.0.2.1/1' };
    const refused = expectProblem(await open.send('POST', '/api/cameras', { ...camera, ...unknown }), 422);
    expect(refused.errors).toHaveLength(100);
    expect(refused.detail).toBe('250 problems, the first 100 are in errors');
  });

  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])('refuses a change that a page of another site sends: %j', async (headers) => {
    expect(await statusOf(open, 'POST', '/api/cluster/regenerate', headers)).toBe(403);
    expect(await statusOf(open, 'DELETE', '/api/cameras/x', headers)).toBe(403);
    // Browsers do not let that page read the answer.
    expect(await statusOf(open, 'GET', '/api/cameras', headers)).toBe(200);
  });

  it('refuses a POST that the form of an old browser may have sent', async () => {
    const path = '/api/cluster/regenerate';
    const unclear: Record<string, string>[] = [
      {},
      { referer: `${open.url}/` },
      { authorization: 'Basic dTpw' },
      { 'content-type': 'text/plain' },
      { 'sec-fetch-mode': 'no-cors' },
    ];
    for (const headers of unclear)
      expect([headers, await statusOf(open, 'POST', path, headers)]).toEqual([headers, 403]);
    const clear: Record<string, string>[] = [
      { 'content-type': 'application/json' },
      { 'x-requested-with': 'curl' },
      { 'x-api-key': 'any' },
      { authorization: 'Bearer any' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of clear)
      expect([headers, [200, 503].includes(await statusOf(open, 'POST', path, headers))]).toEqual([
        headers,
        true,
      ]);
  });

  it('accepts requests of other clients than browsers, and of its own page', async () => {
    const own: Record<string, string>[] = [{}, { 'sec-fetch-site': 'same-origin' }, { origin: open.url }];
    for (const headers of own) expect(await statusOf(open, 'DELETE', '/api/cameras/x', headers)).toBe(404);
  });

  it.each(['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', 'cms.example.com'])(
    'does not answer under a name that may belong to a stranger: %s',
    async (host) => {
      expect(await statusOf(open, 'GET', '/api/cameras', { host })).toBe(421);
      expect(await statusOf(open, 'GET', '/', { host })).toBe(421);
      expect(
        await statusOf(open, 'GET', '/api/dashboard', {
          host,
          origin: `http://${host}`,
          connection: 'upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': Buffer.alloc(16).toString('base64'),
        }),
      ).toBe(421);
    },
  );

  it.each(['127.0.0.1', '127.0.0.1:3000', '[::1]:3000', 'localhost:3000', 'app.localhost', 'backend:3000'])(
    'answers under addresses and names without a dot: %s',
    async (host) => {
      expect(await statusOf(open, 'GET', '/api/cameras', { host })).toBe(200);
    },
  );

  it('answers under the names that are allowed, and under no others', async () => {
    const headers = { 'x-api-key': 'key-of-ops' };
    expect(await statusOf(closed, 'GET', '/api/cameras', { ...headers, host: 'cms.example.com' })).toBe(200);
    expect(await statusOf(closed, 'GET', '/api/cameras', { ...headers, host: 'evil.example' })).toBe(421);
  });

  it('limits the requests of an address, also with wrong keys, but not its probes', async () => {
    const limited = await startTestApp({
      DATABASE_URL: database.url,
      REDIS_URL: process.env.REDIS_URL,
      API_KEY: 'the-right-key',
      RATE_LIMIT: '3',
      TRUSTED_PROXIES: '1',
    });
    try {
      const ask = (path: string, key: string, address: string) =>
        limited.send('GET', path, undefined, { 'x-api-key': key, 'x-forwarded-for': address });
      for (const path of ['/api/cameras', '/api/displays', '/api/models'])
        expect((await ask(path, 'a-wrong-key', '192.0.2.1')).status).toBe(401);
      const refused = await ask('/api/cameras', 'the-right-key', '192.0.2.1');
      expectProblem(refused, 429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await ask('/health/live', '', '192.0.2.1')).status).toBe(200);
      // There is no other place to try keys either.
      expect((await ask('/metrics', 'a-wrong-key', '192.0.2.1')).status).toBe(429);
      const tryByPage = async (address: string) => {
        const headers = { 'x-forwarded-for': `192.0.2.1, ${address}` };
        const socket = new WebSocket(`${limited.url.replace('http', 'ws')}/api/dashboard`, { headers });
        socket.on('error', () => undefined);
        socket.on('open', () => socket.send(JSON.stringify(greeting('a-wrong-key'))));
        const [answer] = (await Promise.race([
          once(socket, 'unexpected-response').then(([, response]) => [response.statusCode]),
          once(socket, 'close'),
        ])) as [number];
        socket.terminate();
        return answer;
      };
      for (const expected of [CloseCode.unauthorized, CloseCode.unauthorized, CloseCode.unauthorized, 429])
        expect(await tryByPage('192.0.2.3')).toBe(expected);
      expect((await ask('/api/cameras', 'the-right-key', '192.0.2.3')).status).toBe(429);
      // Addresses of one IPv6 network of 56 bits are one client.
      for (const expected of [401, 401, 401, 429])
        expect(
          (await ask('/metrics', 'a-wrong-key', `2001:db8::${expected}${Math.random().toString(16)[2]}`))
            .status,
        ).toBe(expected);
      expect((await ask('/api/cameras', 'the-right-key', '192.0.2.2')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('records each change with the name of the key, without possible secrets', async () => {
    const headers = { 'x-api-key': 'key-of-ops' };
    const camera = { cameraIdentifier: 'audited', rtspUrl: 'rtsp://u:hunter2@192.0.2.1/1' };
    expect((await closed.send('POST', '/api/cameras', camera, headers)).status).toBe(201);
    const regenerate = () => closed.send('POST', '/api/cluster/regenerate', {}, headers);
    await eventually(async () => expect((await regenerate()).status).toBe(200));
    await closed.send('GET', '/api/cameras', undefined, headers);
    const displays = ['d1', 'd2'].map((displayId) => ({ displayId, cameraIdentifier: 'audited' }));
    for (const query of ['?dryRun=true', ''])
      expect((await closed.send('PUT', `/api/displays${query}`, { items: displays }, headers)).status).toBe(
        200,
      );
    const many = Array.from({ length: 394 }, (_, n) => ({
      displayId: `wall-${n}`,
      cameraIdentifier: 'audited',
    }));
    expect((await closed.send('PUT', '/api/displays', { items: many }, headers)).status).toBe(200);
    await eventually(async () => {
      const { body } = await closed.send<{ items: object[] }>(
        'GET',
        '/api/cluster/events',
        undefined,
        headers,
      );
      expect(body.items).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: 'operator-action',
            by: 'ops',
            action: 'camerasCreate',
            target: 'audited',
          }),
          expect.objectContaining({ by: 'ops', action: 'clusterRegenerate', target: null }),
          expect.objectContaining({ by: 'ops', action: 'displaysPutAll', target: 'd1, d2' }),
          expect.objectContaining({ target: expect.stringMatching(/^(wall-\d+, )+wall-55 and 338 more$/) }),
        ]),
      );
      // The dry run has changed nothing.
      expect(body.items.filter((event) => 'target' in event && event.target === 'd1, d2')).toHaveLength(1);
      expect(JSON.stringify(body)).not.toMatch(/hunter2|key-of-ops|camerasList/);
    });
  }, 60_000);

  it('accepts any of several keys, each for the actions of its role', async () => {
    for (const [key, read, change] of [
      ['key-of-ops', 200, 404],
      ['old-key-of-ops', 200, 404],
      ['key-of-grafana', 200, 403],
      ['wrong-key', 401, 401],
    ] as const) {
      const headers = { 'x-api-key': key };
      expect((await closed.send('GET', '/api/cameras', undefined, headers)).status).toBe(read);
      expectProblem(await closed.send('DELETE', '/api/cameras/x', undefined, headers), change);
    }
  });

  describe('behind a proxy that authenticates', () => {
    const REMOVE = ['DELETE', '/api/cameras/x'] as const;

    it('takes the name and the role of a user from its headers', async () => {
      await proxied(database, '192.0.2.0/24, 127.0.0.0/8, ::1', async (app) => {
        for (const [headers, read, change] of [
          [user('ann', 'guests,operators'), 200, 404],
          [user('Root@example.com'), 200, 404],
          [user('bob', 'guests'), 200, 403],
          [user('bob', 'operators-of-others'), 200, 403],
          [{ 'x-api-key': 'key-of-scripts' }, 200, 404],
          [user(''), 401, 401],
          [{}, 401, 401],
        ] as const) {
          expect([headers, await statusOf(app, 'GET', '/api/cameras', headers)]).toEqual([headers, read]);
          expect([headers, await statusOf(app, ...REMOVE, headers)]).toEqual([headers, change]);
        }
        const camera = { cameraIdentifier: 'by-ann', rtspUrl: 'rtsp://192.0.2.1/1' };
        expect((await app.send('POST', '/api/cameras', camera, user('ann', 'operators'))).status).toBe(201);
        await eventually(async () => {
          const { body } = await app.send<{ items: object[] }>(
            'GET',
            '/api/cluster/events',
            undefined,
            user('bob'),
          );
          expect(body.items).toContainEqual(expect.objectContaining({ by: 'ann', target: 'by-ann' }));
        });
        const page = await PageClient.open(app.url, greeting(), { headers: user('bob') });
        await eventually(async () => expect(page.view).not.toBeNull());
        expect(page.caller).toEqual({ name: 'bob', mayOperate: false });
        await page.close();
      });
    }, 60_000);

    it.each([
      ['comes from elsewhere', '192.0.2.0/24', { 'x-forwarded-user': 'ann' }],
      ['names only groups, and comes from elsewhere', '192.0.2.0/24', { 'x-forwarded-groups': 'operators' }],
      ['names two users', '127.0.0.1', { 'x-forwarded-user': ['ann', 'root'] }],
      ['has the groups twice', '127.0.0.1', { 'x-forwarded-user': 'ann', 'x-forwarded-groups': ['a', 'b'] }],
      ['has a very long name', '127.0.0.1', { 'x-forwarded-user': 'a'.repeat(129) }],
    ])('refuses a request that %s, also with a key', async (_, trusted, headers) => {
      await proxied(database, trusted, async (app) => {
        const given = { ...headers, 'x-api-key': 'key-of-scripts' };
        expect(await statusOf(app, 'GET', '/api/cameras', given)).toBe(403);
        expect(await statusOf(app, 'GET', '/health/live', given)).toBe(200);
        const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/dashboard`, { headers });
        socket.on('error', () => undefined);
        const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
        expect(response.statusCode).toBe(403);
        socket.terminate();
      });
    });

    it('does not heed such headers where no proxy is configured', async () => {
      const headers = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'operators' };
      expect(await statusOf(closed, 'GET', '/api/cameras', headers)).toBe(401);
      expect(await statusOf(open, 'GET', '/api/cameras', headers)).toBe(200);
    });
  });

  it('requires a key on each described route, and a key with the right to operate for changes', async () => {
    const { body } = await closed.send<{ paths: Record<string, Record<string, { security: object[] }>> }>(
      'GET',
      '/api/openapi.json',
      undefined,
      { 'x-api-key': 'key-of-grafana' },
    );
    const routes = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({ path, method, security })),
    );
    expect(routes.length).toBeGreaterThan(30);
    const open: string[] = [];
    for (const { path, method, security } of routes) {
      const statusWith = async (headers: Record<string, string>) =>
        statusOf(closed, method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1'), {
          'sec-fetch-site': 'none',
          ...headers,
        });
      if (security.length === 0) {
        open.push(path);
        continue;
      }
      const route = `${method} ${path}`;
      expect([route, await statusWith({}), await statusWith({ 'x-api-key': 'wrong-key' })]).toEqual([
        route,
        401,
        401,
      ]);
      const readers: Record<string, string>[] = [
        { 'x-api-key': 'key-of-grafana' },
        { authorization: 'Bearer key-of-grafana' },
      ];
      for (const headers of readers)
        expect([route, [401, 403].includes(await statusWith(headers))]).toEqual([route, method !== 'get']);
    }
    expect(open).toEqual(['/health/live', '/health/ready']);
  });
});
