import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './parse-markdown.js';
import { toLines } from './problem.js';
import { findBrokenLinks } from './find-broken-links.js';

/** Only the files beside this one exist. */
const root = dirname(fileURLToPath(import.meta.url));

const check = (text: string) =>
  toLines(
    findBrokenLinks(root, [
      parseMarkdown('page.md', `${text}\n\n# Here`),
      parseMarkdown('find-broken-links.ts', '# There'),
    ]),
  );

describe('findBrokenLinks', () => {
  it.each([
    '[a](find-broken-links.ts)',
    '[a](find-broken-links.ts#there)',
    '[a](#here)',
    '[a](https://example.com/none)',
    '[a](mailto:a@example.com)',
  ])('takes %s', (link) => {
    expect(check(link)).toEqual([]);
  });

  it.each([
    ['[a](none.md)', 'page.md:1: the link none.md names none.md, which does not exist'],
    ['![a](none.png)', 'page.md:1: the link none.png names none.png, which does not exist'],
    ['[a](#none)', 'page.md:1: the link #none names the heading "none", which page.md does not have'],
    [
      '[a](find-broken-links.ts#here)',
      'page.md:1: the link find-broken-links.ts#here names the heading "here", which find-broken-links.ts does not have',
    ],
    [
      '[a](find-broken-links.spec.ts#here)',
      'page.md:1: the link find-broken-links.spec.ts#here names a heading in find-broken-links.spec.ts, which is no document',
    ],
    ['[a](../x.md)', 'page.md:1: the link ../x.md names a path outside of the repository'],
  ])('refuses %s', (link, problem) => {
    expect(check(link)).toEqual([problem]);
  });
});
