import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const tool = fileURLToPath(new URL('../../class-files.mjs', import.meta.url));

describe('the check of files of classes', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'class-files-'));
    for (const group of ['libs', 'apps', 'tools']) mkdirSync(join(root, group));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function lint(path: string, text: string) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    const { status, stdout, stderr } = spawnSync(process.execPath, [tool, root], { encoding: 'utf8' });
    return { status, output: (stdout + stderr).trim() };
  }

  it.each(['libs/shop/src/price-list.ts', 'apps/shop/src/price.list.ts'])('accepts a class in %s', (path) => {
    expect(lint(path, 'export class PriceList {}\nclass Helper {}').status).toBe(0);
  });

  it('names an exported class in a file of another name', () => {
    expect(lint('libs/shop/src/prices.ts', 'export class PriceList {}')).toEqual({
      status: 1,
      output: 'libs/shop/src/prices.ts: move the class PriceList into the file of its name',
    });
  });

  it.each([
    ['an error beside what throws it', 'libs/shop/src/prices.ts', 'export class PriceError extends Error {}'],
    ['a test', 'libs/shop/src/prices.spec.ts', 'export class PriceList {}'],
  ])('leaves %s where it is', (_what, path, text) => {
    expect(lint(path, text).status).toBe(0);
  });
});
