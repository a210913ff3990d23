import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { S3ModelUrlProvider, type S3ModelUrlOptions } from './s3-model-url-provider.js';
import { verifyPresignedGet } from './sig-v4.fixture.js';

const credentials = { accessKeyId: 'minio', secretAccessKey: 'minio/secret+key' };
const base = { bucket: 'models', region: 'eu-central-1', credentials };
const model = { modelId: 7, modelName: 'us plates+v2 (é)' };
const start = Date.parse('2026-01-02T03:04:05Z');

function provider(options: Partial<S3ModelUrlOptions> = {}) {
  const clock = { now: start };
  return { clock, urls: new S3ModelUrlProvider({ ...base, ...options }, () => clock.now) };
}

const verdict = (text: string, now: number) => {
  const url = new URL(text);
  return verifyPresignedGet(url, url.host, credentials, now);
};

/** A store that verifies the signature of each request. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, `http://${request.headers.host!}`);
  const result = verifyPresignedGet(url, request.headers.host!, credentials, Date.now());
  response.writeHead(result === 'ok' ? 200 : 403).end(result);
}

async function download(url: string): Promise<string> {
  const response = await fetch(url);
  return `${response.status} ${await response.text()}`;
}

describe('S3ModelUrlProvider', () => {
  it.each<[string, Partial<S3ModelUrlOptions>, string]>([
    ['AWS', {}, 'https://models.s3.eu-central-1.amazonaws.com/us%20plates%2Bv2%20%28%C3%A9%29.mpta'],
    [
      'AWS with path style',
      { forcePathStyle: true },
      'https://s3.eu-central-1.amazonaws.com/models/us%20plates%2Bv2%20%28%C3%A9%29.mpta',
    ],
    [
      'MinIO',
      { endpoint: 'http://minio:9000', key: 'v/{id}/{name}' },
      'http://minio:9000/models/v/7/us%20plates%2Bv2%20%28%C3%A9%29',
    ],
    [
      'a function',
      { key: async ({ modelId }) => `m${modelId}` },
      'https://models.s3.eu-central-1.amazonaws.com/m7',
    ],
  ])('signs validly for %s', async (_, options, address) => {
    const { urls } = provider(options);
    const url = await urls.urlFor(model);
    expect(url.replace(/\?.*/, '')).toBe(address);
    expect(verdict(url, start)).toBe('ok');
    expect(verdict(url.replace('Expires=3600', 'Expires=3601'), start)).toBe('bad-signature');
    expect(url).not.toContain('secret');
  });

  it('signs for an hour, or for the configured time', async () => {
    const url = await provider().urls.urlFor(model);
    expect(verdict(url, start + 3_600_000)).toBe('ok');
    expect(verdict(url, start + 3_602_000)).toBe('expired');
    const short = await provider({ expiresIn: 60_999 }).urls.urlFor(model);
    expect(new URL(short).searchParams.get('X-Amz-Expires')).toBe('60');
  });

  it('signs once for a burst, and again for every resend', async () => {
    const { clock, urls } = provider();
    const burst = await Promise.all([urls.urlFor(model), urls.urlFor(model)]);
    expect(burst[0]).toBe(burst[1]);
    expect(await urls.urlFor({ ...model, modelId: 8 })).toBe(burst[0]);
    const seen = new Set(burst);
    for (const delay of [4_000, 3_000, 30_000]) {
      clock.now += delay;
      const url = await urls.urlFor(model);
      expect(seen).not.toContain(url);
      seen.add(url);
      const stamp = new Date(clock.now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
      expect(new URL(url).searchParams.get('X-Amz-Date')).toBe(stamp);
    }
  });

  it('signs again when the clock was set back', async () => {
    const { clock, urls } = provider();
    await urls.urlFor(model);
    clock.now -= 600_000;
    expect(verdict(await urls.urlFor(model), clock.now)).toBe('ok');
  });

  it('does not cache a failure', async () => {
    let attempts = 0;
    const { urls } = provider({
      key: () => (attempts++ === 0 ? Promise.reject(new Error('no such model')) : 'm'),
    });
    await expect(urls.urlFor(model)).rejects.toThrow('no such model');
    expect(verdict(await urls.urlFor(model), start)).toBe('ok');
  });

  it('is accepted by a store that checks signatures like S3, also with temporary credentials', async () => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const urls = new S3ModelUrlProvider({
        ...base,
        endpoint,
        credentials: { ...credentials, sessionToken: 'a/b+c==' },
      });
      const url = await urls.urlFor(model);
      expect(new URL(url).searchParams.get('X-Amz-Security-Token')).toBe('a/b+c==');
      expect(await download(url)).toBe('200 ok');
      expect(await download(url.replace('.mpta', '.onnx'))).toBe('403 bad-signature');
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it.each<[string, Partial<S3ModelUrlOptions>]>([
    ['bucket', { bucket: '' }],
    ['key', { key: '' }],
    ['endpoint', { endpoint: 'minio:9000' }],
    ['endpoint', { endpoint: 'http://u:hunter2@minio:9000' }],
    ['expiresIn', { expiresIn: 3_600 }],
    ['expiresIn', { expiresIn: 604_800_001 }],
  ])('refuses a bad %s by name', (field, options) => {
    expect(() => provider(options)).toThrow(expect.objectContaining({ field }));
    expect(() => provider(options)).not.toThrow(/hunter2/);
  });
});
