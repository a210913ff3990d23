import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProblemException } from '../http/problems.js';
import { dashboardFiles, securityHeaders } from './dashboard-files.js';

async function serve(folder: string | null): Promise<{ url: string; server: Server }> {
  const app = express();
  app.use(securityHeaders, dashboardFiles(folder));
  app.use((_request: express.Request, response: express.Response) => void response.status(404).send('next'));
  app.use(
    (error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      const problem = error instanceof ProblemException ? error.problem : { status: 500, detail: '' };
      const headers = error instanceof ProblemException ? error.headers : {};
      response.set(headers).status(problem.status).send(problem.detail);
    },
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('the page and its files', () => {
  let folder: string;
  let url: string;
  const servers: Server[] = [];

  beforeAll(async () => {
    Logger.overrideLogger(false);
    folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
    await mkdir(join(folder, 'dist', 'assets'), { recursive: true });
    await mkdir(join(folder, 'dist', 'api'));
    await writeFile(join(folder, 'dist', 'index.html'), '<!doctype html>');
    await writeFile(join(folder, 'dist', 'assets', 'index-BmBqZ1a2.js'), 'export {};');
    await writeFile(join(folder, 'dist', 'icon.svg'), '<svg/>');
    await writeFile(join(folder, 'dist', 'api', 'cameras.json'), 'file');
    await writeFile(join(folder, 'secret.txt'), 'secret');
    await symlink(join(folder, 'secret.txt'), join(folder, 'dist', '.secret.txt'));
    const served = await serve(join(folder, 'dist'));
    servers.push(served.server);
    url = served.url;
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['/', 'text/html; charset=utf-8', 'no-cache'],
    ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/icon.svg', 'image/svg+xml', 'no-cache'],
    ['/assets/index-BmBqZ1a2.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ])('%s is served as %s, %s', async (path, type, caching) => {
    const answer = await fetch(url + path);
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('cache-control')).toBe(caching);
  });

  it('comes with headers that keep other scripts and frames out', async () => {
    for (const path of ['/', '/assets/index-BmBqZ1a2.js', '/nowhere']) {
      const { headers } = await fetch(url + path, { method: 'HEAD' });
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data: blob:;" +
          "connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  it.each([
    '/api/cameras.json',
    '/nowhere',
    '/assets/nowhere.js',
    '/assets/',
    '/assets',
    '/.secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
  ])('passes %s on to the API', async (path) => {
    const answer = await fetch(url + path);
    expect([answer.status, await answer.text()]).toEqual([404, 'next']);
  });

  it.each([
    ['POST', '/'],
    ['PUT', '/index.html'],
    ['DELETE', '/assets/index-BmBqZ1a2.js'],
    ['PATCH', '/icon.svg'],
  ])('answers 405 to %s %s', async (method, path) => {
    const answer = await fetch(url + path, { method });
    await answer.arrayBuffer();
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    ['OPTIONS', '/'],
    ['POST', '/nowhere.js'],
    ['POST', '/assets'],
    ['POST', '/.secret.txt'],
    ['POST', '/api/cameras.json'],
  ])('passes %s %s on to the API', async (method, path) => {
    const answer = await fetch(url + path, { method });
    expect([answer.status, await answer.text()]).toEqual([404, 'next']);
  });

  it.each([null, '/nowhere'])('without a build in %s, says how to get one', async (none) => {
    const served = await serve(none);
    servers.push(served.server);
    const page = await fetch(served.url);
    expect(page.status).toBe(404);
    expect(await page.text()).toMatch(/npm run build/);
    expect(await (await fetch(`${served.url}/api/cameras`)).text()).toBe('next');
  });
});
