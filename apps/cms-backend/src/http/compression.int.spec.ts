import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../test-app.fixture.js';

describe('answers', () => {
  const api = useTestApp();

  /** Does not use `fetch`, because `fetch` decompresses by itself. */
  const get = async (path: string, encoding: string) => {
    const sent = request(`${api.url}${path}`, { headers: { 'accept-encoding': encoding } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    return { headers: response.headers, body: Buffer.concat(parts) };
  };

  it('are compressed for clients that accept it, and stay the same', async () => {
    const plain = await get('/api/openapi.json', 'identity');
    const packed = await get('/api/openapi.json', 'gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe('gzip');
    for (const { headers } of [plain, packed]) {
      expect(headers.vary).toMatch(/accept-encoding/i);
      expect(headers['cache-control']).toBe('no-store');
    }
    expect(gunzipSync(packed.body)).toEqual(plain.body);
    expect(packed.body.length).toBeLessThan(plain.body.length / 4);
  });

  it('that are short are not compressed', async () => {
    expect((await get('/health/live', 'gzip')).headers['content-encoding']).toBeUndefined();
  });
});
