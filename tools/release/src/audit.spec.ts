import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const advisory = (severity: string) => ({
  id: 1,
  url: 'https://example.com/advisory',
  title: 'An advisory',
  severity,
  vulnerable_versions: '*',
});

describe('npm run audit', () => {
  let registry: Server;
  let answer: object | null;
  let asked: Record<string, string[]> = {};
  beforeAll(async () => {
    registry = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (answer === null || !request.url!.endsWith('/advisories/bulk'))
          return response.writeHead(405).end('{}');
        const body = Buffer.concat(chunks);
        asked = JSON.parse(
          String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body),
        ) as typeof asked;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });
  afterAll(() => {
    registry.close();
  });

  async function audit(env: Record<string, string> = {}) {
    const cache = await mkdtemp(join(tmpdir(), 'audit-'));
    const { port } = registry.address() as AddressInfo;
    const child = spawn(process.execPath, ['tools/audit.mjs'], {
      cwd: root,
      // npm keeps advisories in its cache.
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: cache,
        ...env,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
    const [code] = (await once(child, 'close')) as [number];
    await rm(cache, { recursive: true, force: true });
    return { code, output };
  }

  it('fails on an advisory of severity high for a package that is shipped', async () => {
    answer = { ioredis: [advisory('high')], vitest: [advisory('critical')] };
    const { code, output } = await audit();
    expect(asked).toHaveProperty('ioredis');
    expect(output).toMatch(/^ioredis .*: high$/m);
    expect(output).not.toContain('vitest');
    expect(code).toBe(1);
  });

  it('passes on lower severities', async () => {
    answer = { ioredis: [advisory('moderate')] };
    expect(await audit()).toMatchObject({ code: 0, output: expect.stringContaining('0 advisories') });
  });

  it('reports a registry without advisories, and fails if an audit is required', async () => {
    answer = null;
    expect(await audit()).toMatchObject({ code: 0, output: expect.stringContaining('not audited') });
    expect(await audit({ AUDIT_REQUIRED: '1' })).toMatchObject({ code: 1 });
  });
});
