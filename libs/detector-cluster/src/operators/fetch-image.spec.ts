import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchImage, imageUrl } from './camera-images.js';

describe('fetchImage', () => {
  let server: Server;
  afterEach(() => server?.closeAllConnections());
  afterEach(() => new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined))));

  async function fetchFrom(listener: RequestListener, limits: object = {}): Promise<Buffer> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return fetchImage(
      { subscriptionIdentifier: 'd;c', workerUrl: 'ws://worker' },
      { url: `ws://user:p%40ss@127.0.0.1:${port}/detector/` },
      undefined,
      { timeout: 10_000, maxSize: 100, ...limits },
    );
  }

  it('asks the worker’s HTTP side, below its path, with its credentials', async () => {
    const asked: unknown[] = [];
    const image = await fetchFrom((request, response) => {
      asked.push(request.method, request.url, request.headers.authorization);
      response.setHeader('content-type', 'image/jpeg').end(Buffer.alloc(100, 1));
    });
    expect(image).toEqual(Buffer.alloc(100, 1));
    const basic = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    expect(asked).toEqual(['GET', '/detector/camera/d%3Bc/image', basic]);
  });

  it('uses TLS where the WebSocket does', () => {
    expect(imageUrl('wss://h:1', 'ü;/').href).toBe('https://h:1/camera/%C3%BC%3B%2F/image');
    expect(imageUrl('ws://h:1/p?a=b', 'd;c', 'x&y').search).toBe('?a=b&picture=x%26y');
  });

  it.each<[string, RequestListener, object?]>([
    ['no-frame', (_, response) => response.writeHead(404).end('{}')],
    ['refused', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end()],
    ['not-a-jpeg', (_, response) => response.setHeader('content-type', 'image/svg+xml').end('<p>')],
    ['too-large', (_, response) => response.setHeader('content-type', 'image/jpeg').end(Buffer.alloc(101))],
    [
      'too-large',
      (_, response) => {
        response.setHeader('content-type', 'image/jpeg');
        const pour = () => {
          while (!response.destroyed && response.write(Buffer.alloc(60)));
          response.once('drain', pour);
        };
        pour();
      },
    ],
    ['unreachable', (request) => request.socket.destroy()],
    [
      'unreachable',
      (request, response) => {
        response.setHeader('content-type', 'image/jpeg').write(Buffer.alloc(10));
        setTimeout(() => request.socket.destroy(), 50);
      },
    ],
    ['timeout', () => undefined, { timeout: 50 }],
    [
      'timeout',
      (_, response) => response.setHeader('content-type', 'image/jpeg').write('x'),
      { timeout: 200 },
    ],
  ])('names the problem: %s', async (problem, listener, limits = {}) => {
    await expect(fetchFrom(listener, limits)).rejects.toMatchObject({
      name: 'CameraImageError',
      problem,
      workerUrl: 'ws://worker',
      message: expect.not.stringContaining('ss@'),
    });
  });
});
