import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOnPath } from '../support/find-on-path.js';

const run = promisify(execFile);
const entry = new URL('../../dist/index.js', import.meta.url).href;
let folder: string;

/** Runs code of this package in a process with `folder` as its whole PATH. */
const inProcess = async (code: string, env: NodeJS.ProcessEnv = {}) => {
  const { stdout } = await run(
    process.execPath,
    ['--input-type=module', '-e', `import * as s from '${entry}';${code}`],
    {
      env: { PATH: folder, ...env },
      timeout: 60_000,
    },
  );
  return JSON.parse(stdout) as { name: string; message: string; url: string };
};
const failure = (call: string) => `try { await ${call}; } catch ({ name, message }) {
  process.stdout.write(JSON.stringify({ name, message })); }`;
const program = async (name: string, script: string) => {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'path-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('without a server in PATH and without apt', () => {
  it('names three ways to get one', async () => {
    const { name, message } = await inProcess(failure('s.startRedis()'));
    expect(name).toBe('ProgramUnavailableError');
    expect(message).toContain('REDIS_URL');
    expect(message).toMatch(/apt install .*brew install/);
    expect(message).toContain('docker compose up');
    expect(message).toContain('apt-get');
  });

  it('distinguishes a missing generation from a missing server', async () => {
    const { name, message } = await inProcess(failure(`s.startRedis({ generation: '8' })`));
    expect(name).toBe('RedisGenerationUnavailableError');
    expect(message).toContain('generation 8');
  });

  it('uses a given server as it is', async () => {
    const code = `const redis = await s.redisAt('redis://somewhere:1');
      await redis.stop(); process.stdout.write(JSON.stringify(redis));`;
    expect(await inProcess(code)).toEqual({ url: 'redis://somewhere:1' });
  });
});

describe('with a server in PATH', () => {
  it.each([
    ['valkey-server', 'Valkey server v=8.1.0 sha=0', 'valkey 8.1.0'],
    ['redis-server', 'Redis server v=7.2.4 sha=0', 'redis 7.2.4'],
  ])('takes %s', async (name, version, found) => {
    await program(name, `echo "${version}"`);
    const code = `import { findRedis } from '${new URL('../../dist/redis/find-redis.js', import.meta.url).href}';
      const found = await findRedis('any'); process.stdout.write(JSON.stringify(found));`;
    expect(await inProcess(code)).toMatchObject({
      command: [join(folder, name)],
      product: found.split(' ')[0],
      version: found.split(' ')[1],
      generation: '7',
    });
  });

  it('rejects a server of another generation, and a program that is not a server', async () => {
    await program('redis-server', 'echo "Redis server v=7.2.4 sha=0"');
    await program('valkey-server', 'exit 1');
    expect((await inProcess(failure(`s.startRedis({ generation: '8' })`))).name).toBe(
      'RedisGenerationUnavailableError',
    );
  });

  it('shows the output of a server that does not start', async () => {
    await program(
      'redis-server',
      'case $1 in --version) echo "Redis server v=7.2.4";; *) echo "bad luck"; exit 1;; esac',
    );
    const { name, message } = await inProcess(failure('s.startRedis()'));
    expect(name).toBe('ServerStartError');
    expect(message).toContain('bad luck');
  });
});

const onDebian = findOnPath('apt-get') ? describe : describe.skip;

onDebian('with an apt that fails', () => {
  it('shows the error of apt', async () => {
    for (const tool of ['apt-config', 'dpkg', 'dpkg-deb'])
      await symlink(findOnPath(tool)!, join(folder, tool));
    await program('apt-get', 'echo "E: no network today" >&2; exit 100');
    expect((await inProcess(failure('s.startRedis()'))).message).toContain('no network today');
  });
});
