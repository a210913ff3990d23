import { chmod, lstat, mkdir, mkdtemp, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enterablePrograms } from './postgres-user.js';

const unprivileged = { uid: 65534, gid: 65534 };
const asRoot = process.getuid?.() === 0 ? it : it.skip;
let root: string;
let native: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'programs-'));
  await chmod(root, 0o755);
  native = join(root, 'project', 'native');
  await mkdir(join(native, 'lib'), { recursive: true, mode: 0o755 });
  await writeFile(join(native, 'lib', 'a.so.1'), '');
  await symlink('a.so.1', join(native, 'lib', 'a.so'));
  await mkdir(join(root, 'server'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('enterablePrograms', () => {
  it('does not copy the programs if every user can reach them, or the user is our own', async () => {
    expect(await enterablePrograms(native, join(root, 'server'), unprivileged)).toBe(native);
    await chmod(join(root, 'project'), 0o700);
    expect(await enterablePrograms(native, join(root, 'server'), undefined)).toBe(native);
  });

  asRoot('copies them out of a closed folder and gives every entry to the user', async () => {
    await chmod(join(root, 'project'), 0o700);
    const copy = await enterablePrograms(native, join(root, 'server'), unprivileged);
    expect(copy).toBe(join(root, 'server', 'programs'));
    for (const entry of ['', 'lib', 'lib/a.so.1', 'lib/a.so']) {
      const { uid, gid } = await lstat(join(copy, entry));
      expect({ entry, uid, gid }).toEqual({ entry, ...unprivileged });
    }
    expect(await readlink(join(copy, 'lib/a.so'))).toBe('a.so.1');
  });
});
