import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { S3ModelUrlProvider, type S3ModelUrlOptions } from './s3-model-url-provider.js';
import { verifyPresigned } from './sig-v4.fixture.js';

const credentials = { accessKeyId: 'minio', secretAccessKey: 'minio/secret+key' };
const base = { bucket: 'models', region: 'eu-central-1', credentials };
const model = { modelId: 7, modelName: 'us plates+v2 (é)' };
const SHA256 = 'ab'.repeat(32);
const start = Date.parse('2026-01-02T03:04:05Z');

function provider(options: Partial<S3ModelUrlOptions> = {}) {
  const clock = { now: start };
  const etags: (string | Error)[] = [];
  const urls = new S3ModelUrlProvider(
    { ...base, ...options },
    () => clock.now,
    async () => {
      const etag = etags.shift() ?? 'e0';
      if (etag instanceof Error) throw etag;
      return { etag };
    },
  );
  return { clock, etags, urls, urlFor: async (of: typeof model) => (await urls.urlFor(of)).url };
}

const verdict = (text: string, now: number) => {
  const url = new URL(text);
  return verifyPresigned('GET', url, url.host, credentials, now);
};

/** A store that verifies the signature of each request. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, `http://${request.headers.host!}`);
  const result = verifyPresigned(request.method!, url, request.headers.host!, credentials, Date.now());
  const head = { etag: '"9b2cf5-2"', 'content-length': result.length, 'x-amz-meta-sha256': SHA256 };
  response.writeHead(result === 'ok' ? 200 : 403, head).end(result);
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
    const { urlFor } = provider(options);
    const url = await urlFor(model);
    expect(url.replace(/\?.*/, '')).toBe(address);
    expect(verdict(url, start)).toBe('ok');
    expect(verdict(url.replace('Expires=3600', 'Expires=3601'), start)).toBe('bad-signature');
    expect(url).not.toContain('secret');
  });

  it('signs for an hour, or for the configured time', async () => {
    const url = await provider().urlFor(model);
    expect(verdict(url, start + 3_600_000)).toBe('ok');
    expect(verdict(url, start + 3_602_000)).toBe('expired');
    const short = await provider({ expiresIn: 60_999 }).urlFor(model);
    expect(new URL(short).searchParams.get('X-Amz-Expires')).toBe('60');
  });

  it('signs each time, for the time of the call', async () => {
    const { clock, urlFor } = provider();
    for (const delay of [0, 4_000, -600_000]) {
      clock.now += delay;
      expect(verdict(await urlFor(model), clock.now)).toBe('ok');
    }
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
      // The provider does without the size where the store does not answer in time.
      const { url, version } = await vi.waitFor(async () => {
        const { url, version, ...file } = await urls.urlFor(model);
        expect(file).toEqual({ size: 2, sha256: SHA256 });
        return { url, version };
      }, 30_000);
      expect(version).toBe('us plates+v2 (é).mpta@9b2cf5-2');
      expect(new URL(url).searchParams.get('X-Amz-Security-Token')).toBe('a/b+c==');
      expect(await download(url)).toBe('200 ok');
      expect(await download(url.replace('.mpta', '.onnx'))).toBe('403 bad-signature');
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }, 60_000);

  it('names the key and the ETag as the version, and asks for the ETag every 10 s at most', async () => {
    const { clock, etags, urls } = provider({ key: 'k' });
    etags.push('e1', 'e2');
    const version = async () => (await urls.urlFor(model)).version;
    expect(await Promise.all([version(), version()])).toEqual(['k@e1', 'k@e1']);
    clock.now += 9_999;
    expect(await version()).toBe('k@e1');
    clock.now += 1;
    expect(await version()).toBe('k@e2');
  });

  it('asks at once for the ETag of another object', async () => {
    let object = 'a';
    const { etags, urls } = provider({ key: () => object });
    etags.push('e1', 'e2');
    expect((await urls.urlFor(model)).version).toBe('a@e1');
    object = 'b';
    expect((await urls.urlFor(model)).version).toBe('b@e2');
  });

  it('finds the object of an earlier version, unless it has been replaced', async () => {
    let object = 'v@1/a';
    const { clock, etags, urls } = provider({ key: () => object });
    etags.push('e1', 'e2');
    const earlier = await urls.urlFor(model);
    object = 'b';
    expect((await urls.urlFor(model)).version).toBe('b@e2');
    const found = await urls.urlFor({ ...model, version: earlier.version! });
    expect([found.version, new URL(found.url).pathname]).toEqual(['v@1/a@e1', '/v%401/a']);
    clock.now += 10_000;
    etags.push('replaced', 'e2');
    const [none, odd] = [
      await urls.urlFor({ ...model, version: earlier.version! }),
      await urls.urlFor({ ...model, version: 'odd' }),
    ];
    expect([none.version, odd.version]).toEqual(['b@e2', 'b@e2']);
  });

  it('names the ETag alone where the key cannot be part of a version', async () => {
    const { etags, urls } = provider({ key: 'k'.repeat(128) });
    etags.push('e1');
    expect((await urls.urlFor(model)).version).toBe('e1');
  });

  it('signs without a version, or with the last one, for a store that it cannot reach', async () => {
    const { clock, etags, urls } = provider({ key: 'k' });
    etags.push(new Error('unreachable'), 'e1', new Error('unreachable'));
    for (const version of [undefined, 'k@e1', 'k@e1']) {
      const file = await urls.urlFor(model);
      expect(file.version).toBe(version);
      expect(verdict(file.url, clock.now)).toBe('ok');
      clock.now += 10_000;
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
