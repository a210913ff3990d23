import { describe, expect, it } from 'vitest';
import { expectProblem } from '../expect-problem.fixture.js';
import { useTestApp } from '../test-app.fixture.js';

describe('a method that a path does not have', () => {
  const api = useTestApp();

  it.each([
    ['DELETE', '/api/cameras', 'GET, HEAD, POST, PUT'],
    ['POST', '/api/cameras/x', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/api/models/1', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/api/cluster/regenerate', 'POST'],
    ['PUT', '/api/cluster/workers/worker1:8000/drain', 'GET, HEAD, POST'],
    ['PATCH', '/api/openapi.json', 'GET, HEAD'],
    ['POST', '/metrics', 'GET, HEAD'],
  ])('%s %s: 405, allowed: %s', async (method, path, allowed) => {
    const answer = await api.send(method, path);
    expectProblem(answer, 405);
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  it.each(['/api/nowhere', '/api/openapiXjson', '/api/cameras/x/y'])(
    'DELETE %s: 404, because there is no such path',
    async (path) => {
      expectProblem(await api.send('DELETE', path), 404);
    },
  );

  it('is reported for each route of the description', async () => {
    const { body } = await api.send<{ paths: Record<string, object> }>('GET', '/api/openapi.json');
    for (const [path, methods] of Object.entries(body.paths)) {
      const missing = ['get', 'post', 'put', 'patch', 'delete'].filter((name) => !(name in methods));
      for (const method of missing) {
        const answer = await api.send(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1'));
        expect([path, method, answer.status]).toEqual([path, method, 405]);
      }
    }
  });
});
