import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toLines } from './problem.js';
import { findUnknownSteps } from './find-unknown-steps.js';

/** Steps are looked up in the files beside this one. */
const root = dirname(fileURLToPath(import.meta.url));
const FILE = 'find-unknown-steps.ts';

const names = {
  declared: new Set(['findUnknownSteps']),
  members: new Map([['NameCollector', new Set(['add'])]]),
};

const checkIn = (page: string, ...lines: string[]) =>
  toLines(findUnknownSteps(root, page, lines.join('\n'), names));
const walkTo = (link: string) => ['## Walks', '### One', `1. [\`findUnknownSteps\`](${link}) reads.`];
const check = (...lines: string[]) => checkIn('page.md', ...lines);

describe('findUnknownSteps', () => {
  it('accepts a function and a method that their file declares', () => {
    const steps = [
      `1. [\`findUnknownSteps\`](${FILE}) reads a page.`,
      '2. [`NameCollector.add`](name-collector.ts) reads a file.',
    ];
    expect(check('## Walks', '### One', ...steps)).toEqual([]);
  });

  it.each([
    [`1. [\`findNothing\`](${FILE}) reads.`, `${FILE} does not declare \`findNothing\``],
    [
      '1. [`NameCollector.drop`](name-collector.ts) reads.',
      'name-collector.ts does not declare `NameCollector.drop`',
    ],
    ['1. [`findUnknownSteps`](none.ts) reads.', 'none.ts does not exist'],
    ['1. `findUnknownSteps` reads.', 'the step does not begin with [`name`](path)'],
  ])('refuses %s', (step, message) => {
    expect(check('## Walks', '### One', step)).toEqual([`page.md:3: ${message}`]);
  });

  it('follows links from the folder of the page', () => {
    expect(checkIn('docs/page.md', ...walkTo(`../${FILE}`))).toEqual([]);
    expect(checkIn('docs/page.md', ...walkTo(FILE))).toEqual([`docs/page.md:3: docs/${FILE} does not exist`]);
  });

  it('refuses a tenth step, and counts each walk for itself', () => {
    const steps = Array.from({ length: 9 }, (_, i) => `${i + 1}. [\`findUnknownSteps\`](${FILE}) reads.`);
    expect(check('## Walks', '### One', ...steps, '### Two', ...steps)).toEqual([]);
    expect(check('## Walks', '### One', ...steps, steps[0]!)).toEqual([
      'page.md:12: the walk has more than 9 steps',
    ]);
  });

  it('refuses a name in the text that no source declares', () => {
    const text =
      '`XREAD` and `cluster/file.ts` are no names; `NameCollector.add` is one, `NameCollector.drop` was.';
    expect(check('## Walks', '### One', text)).toEqual(['page.md:3: `NameCollector.drop` is not declared']);
    expect(check('## Next', text)).toEqual([]);
  });

  it('leaves lists of other sections alone', () => {
    expect(check('## Releases', '1. Look at it.', '## Walks', '### One', '## Next', '1. Look.')).toEqual([]);
  });
});
