import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mentionedNames } from './mentioned-names.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mentioned-names-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

it('finds names in the file, in what it imports, and in child processes', () => {
  write('helper.ts', "import { more } from './more.js';\nimport './test.js';");
  write(
    'more.ts',
    "const child = new URL('./child.mjs', import.meta.url);\nconst url = process.env.IN_IMPORT;",
  );
  write('child.mjs', 'connect(process.env.IN_CHILD);');
  write('other.ts', 'process.env.ELSEWHERE');
  const test = write('test.ts', "import { help } from './helper.js';\nimport type { A } from './none.js';");
  const names = ['IN_IMPORT', 'IN_CHILD', 'ELSEWHERE'];
  expect([...mentionedNames([test], names)].sort()).toEqual(['IN_CHILD', 'IN_IMPORT']);
});
