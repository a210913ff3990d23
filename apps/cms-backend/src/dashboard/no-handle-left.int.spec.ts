import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/create-test-database.js';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { TIMEOUT } from '../eventually.fixture.js';

/** The process must exit by itself, which it does when no open handle is left. */
const PROGRAM = `
  import { DASHBOARD_PROTOCOL } from '@detector-cluster/dashboard-protocol';
  import { WebSocket } from 'ws';
  const { createApp, readConfig } = await import(process.env.SERVICE);
  const app = await createApp(readConfig(process.env));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address();
  const pages = await Promise.all([1, 2].map(async () => {
    const page = new WebSocket('ws://127.0.0.1:' + port + '/api/dashboard');
    await new Promise((resolve) => page.on('open', resolve));
    page.send(JSON.stringify({ event: 'hello', data: { version: DASHBOARD_PROTOCOL, apiKey: null } }));
    await new Promise((resolve) => page.once('message', resolve));
    return page;
  }));
  const codes = Promise.all(pages.map((page) => new Promise((resolve) => page.on('close', resolve))));
  const silent = new WebSocket('ws://127.0.0.1:' + port + '/api/dashboard');
  await new Promise((resolve) => silent.on('open', resolve));
  await app.close();
  console.log(JSON.stringify(await codes));
`;

describe('a service that ends', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database?.drop();
  });

  it(
    'says goodbye to its pages and leaves no timer and no connection behind',
    async () => {
      const prefix = randomPrefix();
      const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
        cwd: new URL('../..', import.meta.url),
        env: {
          PATH: process.env.PATH,
          SERVICE: new URL('../../dist/index.js', import.meta.url).href,
          DATABASE_URL: database.url,
          REDIS_URL: process.env.REDIS_URL,
          MODEL_BASE_URL: 'http://127.0.0.1:9',
          KEY_PREFIX: `${prefix}:`,
          LOCK_NAME: prefix,
          ELECTION_TIMING: 'fast',
          LOG_LEVEL: 'error',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const late = setTimeout(() => child.kill('SIGKILL'), TIMEOUT);
      const [out, err, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit') as Promise<[number | null]>,
      ]);
      clearTimeout(late);
      expect(err).toBe('');
      expect(out.trim()).toBe('[1001,1001]');
      expect(code).toBe(0);
    },
    2 * TIMEOUT,
  );
});
