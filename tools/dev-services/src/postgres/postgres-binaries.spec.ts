import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restoreLinks } from './postgres-binaries.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'links-'));
  await mkdir(join(root, 'native/lib'), { recursive: true });
  await writeFile(join(root, 'native/lib/libpq.so.5.18'), 'library');
  await writeFile(
    join(root, 'native/pg-symlinks.json'),
    JSON.stringify([
      { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
      { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
    ]),
  );
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('restoreLinks', () => {
  it('makes the missing links relative, also if several processes do it at once', async () => {
    await Promise.all([restoreLinks(root), restoreLinks(root), restoreLinks(root)]);
    expect(await readlink(join(root, 'native/lib/libpq.so'))).toBe('libpq.so.5.18');
    expect(await readFile(join(root, 'native/lib/libpq.so.5'), 'utf8')).toBe('library');
  });

  it('leaves existing files', async () => {
    await writeFile(join(root, 'native/lib/libpq.so'), 'a copy');
    await restoreLinks(root);
    expect(await readFile(join(root, 'native/lib/libpq.so'), 'utf8')).toBe('a copy');
  });
});
