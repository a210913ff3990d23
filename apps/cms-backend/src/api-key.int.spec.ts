import { describe, expect, it } from 'vitest';
import { expectProblem } from './expect-problem.fixture.js';
import { useTestApp } from './test-app.fixture.js';

describe('with an API key', () => {
  const api = useTestApp({ API_KEY: 'correct-horse' });

  const paths = [
    '/api/cameras',
    '/API/Cameras/',
    '/api/cluster/state',
    '/api/cluster/subscriptions',
    '/api/detections/recent',
    '/api/openapi.json',
    '/metrics',
  ];

  it.each(paths)('%s answers 401 without it', async (path) => {
    const wrong: Record<string, string>[] = [
      {},
      { 'x-api-key': '' },
      { 'x-api-key': 'correct-hors' },
      { 'x-api-key': 'wrong' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic correct-horse' },
      { authorization: 'Bearer correct-horse', 'x-api-key': 'wrong' },
    ];
    for (const headers of wrong) {
      const answer = await api.send('GET', path, undefined, headers);
      expectProblem(answer, 401);
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey, Bearer');
    }
  });

  it('does not read the body of a request without it', async () => {
    expectProblem(await api.send('POST', '/api/cameras', { rubbish: true }), 401);
  });

  it('answers with it', async () => {
    for (const path of ['/api/cameras', '/api/openapi.json', '/api/detections/stats'])
      for (const [name, value] of [
        ['x-api-key', 'correct-horse'],
        ['authorization', 'Bearer correct-horse'],
      ] as const)
        expect((await api.send('GET', path, undefined, { [name]: value })).status).toBe(200);
  });

  it('does not need it for health', async () => {
    expect((await api.send('GET', '/health/live')).status).toBe(200);
    expect([200, 503]).toContain((await api.send('GET', '/health/ready')).status);
  });
});
