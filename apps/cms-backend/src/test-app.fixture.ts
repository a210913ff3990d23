import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/create-test-database.js';
import { readConfig } from './config/read-config.js';
import { createApp } from './create-app.js';

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when there is no body. */
  readonly body: T;
}

export interface TestApp {
  readonly app: NestExpressApplication;
  readonly url: string;
  /** Sends a request. An object as body is sent as JSON, a string as it is. */
  send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  close(): Promise<void>;
}

/** The whole application on a free port, with prefixes of its own; `env` adds to and replaces its environment. */
export async function startTestApp(env: Record<string, string | undefined>): Promise<TestApp> {
  const prefix = `test-${randomUUID()}`;
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    KEY_PREFIX: `${prefix}:`,
    LOCK_NAME: prefix,
    ELECTION_TIMING: 'fast',
    MODEL_BASE_URL: 'http://127.0.0.1:9/models',
    LOG_LEVEL: 'fatal',
    ...env,
  });
  const app = await createApp(config);
  await app.listen(config.http.port, config.http.host);
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  return {
    app,
    url,
    send: async (method, path, body, headers = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
    close: () => app.close(),
  };
}

const HOOK_TIMEOUT = 120_000;

/** The application, and a database of its own, for the tests of a suite. */
export function useTestApp(
  env: Record<string, string | undefined> = {},
): Omit<TestApp, 'close'> & { readonly database: TestDatabase } {
  let database: TestDatabase | undefined;
  let api: TestApp | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    api = await startTestApp({ DATABASE_URL: database.url, REDIS_URL: process.env.REDIS_URL, ...env });
  }, HOOK_TIMEOUT);
  afterAll(async () => {
    await api?.close();
    await database?.drop();
  }, HOOK_TIMEOUT);
  return {
    get app() {
      return api!.app;
    },
    get url() {
      return api!.url;
    },
    get database() {
      return database!;
    },
    send: (...args) => api!.send(...args),
  };
}
