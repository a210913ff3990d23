import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/support/create-test-database.js';
import { TIMEOUT } from './eventually.fixture.js';

const main = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url));

/** What clients have sent in connections that they keep. */
const UNFINISHED = [
  // A browser connects before it has a request.
  '',
  'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half',
  'POST /api/cameras HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":',
  'GET /api/dashboard HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
];

const environment = (databaseUrl: string, prefix: string) => ({
  PORT: '0',
  HOST: '127.0.0.1',
  DATABASE_URL: databaseUrl,
  REDIS_URL: String(process.env.REDIS_URL),
  MODEL_BASE_URL: 'http://127.0.0.1:9',
  KEY_PREFIX: `${prefix}:`,
  LOCK_NAME: prefix,
  ELECTION_TIMING: 'fast',
  LOG_FORMAT: 'json',
});

describe('the process', () => {
  let child: ChildProcess | null = null;

  afterEach(() => {
    child?.kill('SIGKILL');
    child = null;
  });

  function start(env: Record<string, string>) {
    const started = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    return started;
  }

  it(
    'ends with 1 and every problem when its configuration is invalid',
    async () => {
      const started = start({ PORT: 'x', DETECTOR_WORKERS: 'http://w' });
      const [out, err, [code]] = await Promise.all([
        text(started.stdout),
        text(started.stderr),
        once(started, 'exit'),
      ]);
      expect(code).toBe(1);
      expect(out).toBe('');
      for (const name of ['PORT', 'DATABASE_URL', 'REDIS_URL', 'MODEL_BASE_URL', 'DETECTOR_WORKERS'])
        expect(err).toMatch(new RegExp(`^  ${name}: `, 'm'));
    },
    TIMEOUT,
  );

  it.each(['before it has started', 'while it runs'])(
    'ends with 1 and the version to use when the cluster writes formats of a later version %s',
    async (when) => {
      const database = await createTestDatabase();
      const redis = new Redis(String(process.env.REDIS_URL));
      const prefix = `test-${randomUUID()}`;
      const raise = () => redis.hset(`${prefix}:formats`, 'level', 2, 'version', '9.8.7');
      if (when === 'before it has started') await raise();
      const started = start(environment(database.url, prefix));
      const ended = once(started, 'exit');
      const err = text(started.stderr);
      // The line with its address, or the end.
      const { value } = await createInterface(started.stdout)[Symbol.asyncIterator]().next();
      if (value !== undefined) await raise();
      expect((await ended)[0]).toBe(1);
      expect(await err).toContain('start version 9.8.7 or newer');
      expect(value === undefined).toBe(when === 'before it has started');
      await redis.del(`${prefix}:formats`);
      redis.disconnect();
      await database.drop();
    },
    2 * TIMEOUT,
  );

  it(
    'prints its address in one line, logs as JSON on standard error, and ends on SIGTERM whatever connections are open',
    async () => {
      const database = await createTestDatabase();
      const prefix = `test-${randomUUID()}`;
      const started = start(environment(database.url, prefix));
      const logged: { level: string; context?: string; message: string }[] = [];
      const elected = new Promise<void>((resolve) => {
        createInterface(started.stderr).on('line', (line) => {
          const entry = JSON.parse(line) as (typeof logged)[number];
          logged.push(entry);
          if (entry.message.startsWith('this process is master')) resolve();
        });
      });
      const lines = createInterface(started.stdout)[Symbol.asyncIterator]();
      const { listening, processId } = JSON.parse(String((await lines.next()).value));
      expect(processId).toMatch(/./);
      expect((await fetch(`http://127.0.0.1:${listening}/health/live`)).status).toBe(200);
      await elected;
      const sockets = UNFINISHED.map((sent) => {
        const socket = connect(Number(listening), '127.0.0.1').on('error', () => undefined);
        socket.write(sent);
        return socket;
      });
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      started.kill('SIGTERM');
      const [[code], rest] = await Promise.all([once(started, 'exit'), lines.next()]);
      expect(code).toBe(0);
      for (const socket of sockets) socket.destroy();
      expect(rest.done).toBe(true);
      expect(logged).toContainEqual(
        expect.objectContaining({
          level: 'log',
          context: 'master-slave-worker-cluster',
          message: expect.stringMatching(/^this process is master \(term \d+\)$/),
        }),
      );
      await database.drop();
    },
    2 * TIMEOUT,
  );
});
