import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from './api-client.js';
import { ApiError } from './api-error.js';

describe('ApiClient', () => {
  let server: Server;
  let origin: string;
  let key: string | null = null;
  let seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string };
  let answer = { status: 200, body: '{}' };
  const client = new ApiClient({
    fetch: (path, init) => fetch(`${origin}${path}`, init),
    apiKey: () => key,
  });

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      seen = { method: request.method!, url: request.url!, headers: request.headers, body };
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends JSON and returns JSON', async () => {
    answer = { status: 200, body: '{"accepted":true}' };
    await expect(client.post('/workers/drain', { url: 'ws://a' })).resolves.toEqual({ accepted: true });
    expect(seen).toMatchObject({ method: 'POST', url: '/workers/drain', body: '{"url":"ws://a"}' });
    expect(seen.headers['content-type']).toBe('application/json');
    expect(seen.headers['x-api-key']).toBeUndefined();
  });

  it('sends the current key, and no body with GET', async () => {
    key = 'abc';
    await client.get('/plan');
    expect(seen).toMatchObject({ method: 'GET', body: '', headers: { 'x-api-key': 'abc' } });
    expect(seen.headers['content-type']).toBeUndefined();
  });

  it('sends the headers of a call, and expects no body of a removal', async () => {
    answer = { status: 200, body: '{}' };
    await client.put('/cameras', { items: [] }, { 'idempotency-key': 'k' });
    expect(seen).toMatchObject({ method: 'PUT', url: '/cameras', body: '{"items":[]}' });
    expect(seen.headers['idempotency-key']).toBe('k');
    answer = { status: 204, body: '' };
    await expect(client.delete('/cameras/a', { 'if-match': '"v"' })).resolves.toBeUndefined();
    expect(seen).toMatchObject({ method: 'DELETE', headers: { 'if-match': '"v"', 'x-api-key': 'abc' } });
    answer = { status: 412, body: '{"title":"Precondition failed"}' };
    await expect(client.delete('/cameras/a')).rejects.toMatchObject({ status: 412, issues: [] });
  });

  it('says where a request is wrong', async () => {
    answer = {
      status: 422,
      body: '{"title":"Not valid","errors":[{"pointer":"#/items/0/rtspUrl","detail":"must be a URL"},{"parameter":"sort","detail":"x"},{"detail":"y"},{"pointer":"#"}]}',
    };
    await expect(client.put('/cameras', {})).rejects.toMatchObject({
      message: 'Not valid: items/0/rtspUrl must be a URL; sort x; y',
      issues: [
        { place: 'items/0/rtspUrl', detail: 'must be a URL' },
        { place: 'sort', detail: 'x' },
        { place: '', detail: 'y' },
      ],
    });
  });

  it("throws the service's error", async () => {
    answer = { status: 503, body: '{"title":"Service unavailable","detail":"no master","code":"NO_MASTER"}' };
    const error = await client.post('/rebalance').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: 'Service unavailable: no master',
      status: 503,
    });
  });

  it('reports a missing or unreadable answer', async () => {
    answer = { status: 200, body: '<html>' };
    await expect(client.get('/plan')).rejects.toThrow('the answer of the service is not readable');
    const unreachable = new ApiClient({ fetch: () => fetch('http://127.0.0.1:1/'), apiKey: () => null });
    await expect(unreachable.get('/plan')).rejects.toMatchObject({
      message: 'the service cannot be reached',
      status: 0,
    });
  });
});
