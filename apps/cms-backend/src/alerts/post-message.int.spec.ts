import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { mayReceive, postMessage } from './post-message.js';

const post = (url: string, timeout?: number, signal = new AbortController().signal) =>
  postMessage({ url, body: '{"a":"ä"}', headers: { 'x-one': '1' } }, signal, timeout);

describe('postMessage', () => {
  let server: Server | undefined;
  const seen: { request: IncomingMessage; body: string }[] = [];
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
    seen.length = 0;
  });

  /** Starts a receiver; returns its port. */
  const receive = async (answer: (response: ServerResponse) => void): Promise<number> => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        seen.push({ request, body });
        answer(response);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const answering = (status: number, headers = {}) =>
    receive((response) => response.writeHead(status, headers).end('secret answer'));

  it('sends JSON with its headers, and the user name of the URL', async () => {
    const port = await answering(204);
    await post(`http://user:word@127.0.0.1:${port}/path?token=1`);
    const [{ request, body } = { request: undefined, body: '' }] = seen;
    expect(body).toBe('{"a":"ä"}');
    expect(request).toMatchObject({ method: 'POST', url: '/path?token=1' });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '10',
      'x-one': '1',
      authorization: `Basic ${Buffer.from('user:word').toString('base64')}`,
    });
  });

  it.each([300, 302, 400, 404, 500])(
    'takes the answer %i for a failure, and repeats nothing of it',
    async (status) => {
      const port = await answering(status, { location: 'http://127.0.0.1:9/' });
      await expect(post(`http://127.0.0.1:${port}/secret`)).rejects.toThrow(
        new Error(`it answered ${status}`),
      );
      expect(seen).toHaveLength(1);
    },
  );

  it('does not wait for a receiver that hangs', async () => {
    const port = await receive(() => undefined);
    await expect(post(`http://127.0.0.1:${port}/secret`, 200)).rejects.toThrow(
      new Error('it did not answer within 0.2 s'),
    );
  });

  it('does not read an answer that does not end', async () => {
    const port = await receive((response) => response.writeHead(200).write('x'));
    await post(`http://127.0.0.1:${port}/`);
  });

  it('ends with its caller', async () => {
    const caller = new AbortController();
    const port = await receive(() => caller.abort());
    await expect(post(`http://127.0.0.1:${port}/`, 60_000, caller.signal)).rejects.toThrow('aborted');
  });

  it('has the reason, but not the URL, in its error', async () => {
    const port = await answering(200);
    server!.close();
    const error = await post(`http://user:word@127.0.0.1:${port}/secret?token=1`).catch(String);
    expect(error).toContain('ECONNREFUSED');
    expect(error).not.toMatch(/secret|token|word/);
  });
});

describe('mayReceive', () => {
  it.each([
    ['http://alerts.example.com/', true],
    ['http://127.0.0.1:9093/', true],
    ['http://10.0.0.1/', true],
    ['http://169.254.169.254/', false],
    ['http://[fd00:ec2::254]/', false],
    ['http://2852039166/', false],
    ['http://metadata.google.internal/', false],
    ['http://0.0.0.0/', false],
  ])('%s: %s', (url, expected) => {
    expect(mayReceive(url)).toBe(expected);
  });
});
