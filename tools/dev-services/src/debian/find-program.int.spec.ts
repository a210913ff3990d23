import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const entry = new URL('../../dist/index.js', import.meta.url).href;
let folder: string;

/** The error of a call of this package in a process with `folder` as its whole PATH. */
const failure = async (call: string) => {
  const code = `import * as s from '${entry}'; try { await ${call}; } catch ({ name, message, program }) {
    process.stdout.write(JSON.stringify({ name, message, program })); }`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], {
    env: { PATH: folder },
    timeout: 60_000,
  });
  return JSON.parse(stdout) as { name: string; message: string; program: string };
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'path-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a server program', () => {
  it.each([
    ['etcd', 's.startEtcd()', 'etcd-server'],
    ['memcached', 's.startMemcached()', 'memcached'],
    ['pgbouncer', "s.startPgBouncer('postgresql://u@h/d', { mode: 'session' })", 'pgbouncer'],
  ])('%s that cannot be had: the error names it and three ways to get it', async (program, call, name) => {
    const error = await failure(call);
    expect(error).toMatchObject({ name: 'ProgramUnavailableError', program });
    expect(error.message).toContain('apt-get');
    expect(error.message).toContain(`apt install ${name}`);
    expect(error.message).toContain(`brew install ${program}`);
    expect(error.message).toContain('PATH');
  });

  it('that is not unpacked: the error of Alertmanager names two ways to get it', async () => {
    const error = await failure('s.startAlertmanager()');
    expect(error).toMatchObject({ name: 'ProgramUnavailableError', program: 'prometheus-alertmanager' });
    expect(error.message).toContain('apt install prometheus-alertmanager');
    expect(error.message).toContain('PATH');
  });

  it('is taken from PATH if it is there', async () => {
    const file = join(folder, 'etcd');
    await writeFile(file, '#!/bin/sh\necho "bad luck"; exit 1\n');
    await chmod(file, 0o755);
    const error = await failure('s.startEtcd()');
    expect(error.name).toBe('ServerStartError');
    expect(error.message).toContain('bad luck');
  });
});
