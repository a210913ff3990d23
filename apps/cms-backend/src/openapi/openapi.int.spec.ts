import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../test-app.fixture.js';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: object; additionalProperties?: boolean }> };
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: { $ref?: string } }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** What is not JSON. */
const special = new Map([
  ['/metrics', 'text/plain'],
  ['/api/cameras/{cameraIdentifier}/image', 'image/jpeg'],
  ['/api/detections/{detectionId}/picture', 'image/jpeg'],
  ...['events', 'subscriptions', 'detections', 'audit'].map(
    (list) => [`/api/export/${list}`, 'text/csv'] as const,
  ),
]);

describe('the API description', () => {
  const api = useTestApp();
  let document: Document;

  beforeAll(async () => {
    document = (await api.send<Document>('GET', '/api/openapi.json')).body;
  });

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
    );

  it('calls a process that is not the master a follower, as the dashboard does', async () => {
    expect(JSON.stringify(document)).not.toMatch(/slave/i);
    for (const path of ['/api/cluster/state', '/health/ready']) {
      const { status, body } = await api.send('GET', path);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/slave/i);
    }
  });

  it('has every route that the server has, and no other', () => {
    const { router } = api.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
    const routes = router.stack.flatMap(({ route }) =>
      route === undefined
        ? []
        : Object.keys(route.methods).map((method) => `${method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`),
    );
    expect(routes.length).toBeGreaterThan(20);
    expect(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(routes.sort());
  });

  it('is OpenAPI 3.1 with unique operations and resolvable references', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const references = JSON.stringify(document).match(/"#\/components\/schemas\/[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references)
      expect(document.components.schemas).toHaveProperty([reference.slice(1, -1).split('/')[3] ?? '']);
  });

  it('describes parameters, bodies, answers and problems', () => {
    for (const { path, method, parameters = [], requestBody, responses } of operations()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(
        named,
      );
      if (method === 'put' || method === 'patch' || method === 'post')
        expect(requestBody?.content['application/json']?.schema.$ref).toMatch(/Create|Update|Request/);
      if (method === 'delete') expect(responses['204']).toBeDefined();
      else
        expect(
          (responses['200'] ?? responses['201'])?.content?.[special.get(path) ?? 'application/json']?.schema,
        ).toBeDefined();
      if (path.startsWith('/api/'))
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '503']));
      for (const [status, { content }] of Object.entries(responses))
        if (Number(status) >= 400 && path.startsWith('/api/'))
          expect(content).toEqual({
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          });
    }
    const needed = (path: string) => document.paths[path]?.post?.requestBody?.required;
    expect(needed('/api/cameras')).toBe(true);
    expect([needed('/api/cluster/regenerate'), needed('/api/cluster/master/resign')]).toEqual([false, false]);
    expect(document.components.schemas.CreateCamera).toMatchObject({
      additionalProperties: false,
      required: ['cameraIdentifier', 'rtspUrl'],
    });
    expect(document.paths['/api/cameras']?.get?.parameters?.map(({ name }) => name)).toEqual([
      'limit',
      'cursor',
      'sort',
      'text',
    ]);
  });
});
