import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOnPath } from '../support/find-on-path.js';
import { runCommand } from '../support/run-command.js';
import { debianHost } from './debian-host.js';
import { debianPackage, unpackedCommand } from './debian-package.js';

const onDebian = findOnPath('apt-get') && findOnPath('dpkg-deb') ? describe : describe.skip;
let cache: string;

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'packages-'));
});

afterEach(() => rm(cache, { recursive: true, force: true }));

onDebian('debianPackage', () => {
  it('downloads once for concurrent callers, clears the files of a killed run, and then works from the cache', async () => {
    const host = await debianHost();
    const messages: string[] = [];
    const request = {
      name: 'hello',
      suite: host.suite,
      cache,
      notify: (message: string) => messages.push(message),
    };
    const name = `hello-${host.suite}-${host.architecture}`;
    await mkdir(join(cache, `${name}.tmp-killed`, 'root'), { recursive: true });

    const roots = await Promise.all([1, 2, 3].map(() => debianPackage(host, request)));
    expect(new Set(roots)).toEqual(new Set([join(cache, name)]));
    expect(messages).toHaveLength(1);
    expect(await readdir(cache)).toEqual([name]);

    const [loader, ...args] = unpackedCommand(roots[0]!, 'usr/bin/hello');
    expect(await runCommand(loader!, args)).toBe('Hello, world!\n');

    expect(await debianPackage({ ...host, mirrors: [] }, request)).toBe(roots[0]);
  }, 120_000);

  it('leaves nothing if the package does not exist', async () => {
    const host = await debianHost();
    const request = { name: 'no-such-package-anywhere', suite: host.suite, cache };
    await expect(debianPackage(host, request)).rejects.toThrow(/no-such-package-anywhere/);
    expect(await readdir(cache)).toEqual([]);
    expect(existsSync(cache)).toBe(true);
  }, 120_000);
});
