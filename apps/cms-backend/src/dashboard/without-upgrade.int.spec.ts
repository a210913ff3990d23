import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.fixture.js';
import { useTestApp } from '../test-app.fixture.js';
import { PageClient } from './page-client.fixture.js';

const OFFER =
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';

const statusLines = (answer: string) => answer.match(/HTTP\/1\.1 \d+/g) ?? [];

describe('a client that offers HTTP/2', () => {
  const api = useTestApp();

  /** The answers of the service to requests. The client sends each request in parts, after the answer to the one before. */
  const exchange = async (...requests: string[][]) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    await once(socket, 'connect');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    for (const [i, parts] of requests.entries()) {
      for (const part of parts) {
        socket.write(part);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await eventually(async () => expect(statusLines(answer)).toHaveLength(i + 1));
    }
    socket.destroy();
    return answer;
  };

  it('is answered with HTTP/1.1', async () => {
    const body = JSON.stringify({ name: 'm\u00fc', fileKey: 'm.mpta' });
    const answer = await exchange(
      [`GET /health/live HTTP/1.1\r\nHost: h\r\n${OFFER}\r\n`],
      [
        `POST /api/models HTTP/1.1\r\nHost: h\r\n${OFFER}Content-Type: application/json\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 5)}`,
        body.slice(5),
      ],
      ['GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n'],
    );
    expect(statusLines(answer)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 201', 'HTTP/1.1 200']);
    expect(answer).toContain('"name":"m\u00fc"');
  });

  it('may offer it with each of many requests', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on('warning', note);
    const requests = Array.from({ length: 15 }, () => [
      `GET /health/live HTTP/1.1\r\nHost: h\r\n${OFFER}\r\n`,
    ]);
    const answer = await exchange(...requests);
    process.off('warning', note);
    expect(statusLines(answer)).toEqual(Array(15).fill('HTTP/1.1 200'));
    expect(warnings).toEqual([]);
  });

  it('keeps no page out', async () => {
    const page = await PageClient.open(api.url);
    expect(statusLines(await exchange([`GET /api/dashboard HTTP/1.1\r\nHost: h\r\n${OFFER}\r\n`]))).toEqual([
      'HTTP/1.1 404',
    ]);
    await eventually(async () => expect(page.view).not.toBeNull());
    await page.close();
  });
});
