import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const tool = fileURLToPath(new URL('../../rooms.mjs', import.meta.url));

describe('npm run lint:rooms', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rooms-'));
    write('tools/rooms.json', JSON.stringify({ shop: ['goods', 'orders'] }));
    write('libs/shop/src/index.ts', "export { order } from './orders/order.js';");
    write(
      'libs/shop/src/orders/order.ts',
      "import { item } from '../goods/item.js';\nexport const order = [item];",
    );
    write('libs/shop/src/goods/item.ts', 'export const item = 1;');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  function lint() {
    const { status, stdout, stderr } = spawnSync(process.execPath, [tool, root], { encoding: 'utf8' });
    return { status, output: (stdout + stderr).trim() };
  }

  it('accepts imports of folders that come before', () => {
    expect(lint()).toEqual({ status: 0, output: '1 libraries: each folder imports only those before it' });
  });

  it.each([
    ['a folder above', "import type { order } from '../orders/order.js';", 'imports orders/'],
    [
      'a file beside the folders',
      "export { order } from '../index.js';",
      'imports a file beside the folders',
    ],
    [
      'a folder above on demand',
      "export const order = () => import('../orders/order.js');",
      'imports orders/',
    ],
  ])('refuses an import of %s', (_what, text, problem) => {
    write('libs/shop/src/goods/item.ts', text);
    expect(lint()).toEqual({
      status: 1,
      output: `libs/shop/src/goods/item.ts ${problem}, which is above goods/`,
    });
  });

  it('leaves tests free', () => {
    write('libs/shop/src/goods/item.spec.ts', "import '../orders/order.js';");
    expect(lint().status).toBe(0);
  });

  it('asks for the place of a new folder and of a new library', () => {
    write('libs/shop/src/bills/bill.ts', "import '../orders/order.js';");
    write('libs/post/src/index.ts', '');
    expect(lint()).toEqual({
      status: 1,
      output:
        'libs/post: enter the order of its folders in tools/rooms.json\nlibs/shop/src/bills: enter the folder in tools/rooms.json',
    });
  });
});
