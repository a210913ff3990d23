import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { CodeBlock } from './parse-markdown.js';
import { toLines } from './problem.js';
import { compileBlocks } from './compile-blocks.js';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const contexts = new Map([
  [
    'lead',
    "import type { Lease } from '@detector-cluster/election';\ndeclare const lease: Lease;\n/* block */\n",
  ],
]);

const block = (document: string, text: string, more: Partial<CodeBlock> = {}): CodeBlock => ({
  document,
  line: 10,
  language: 'ts',
  text,
  ...more,
});

it('reports compiler errors with the line of the document', () => {
  const blocks = [
    block('right.md', "import { helper } from './helper.js';\nconst term: number = helper();\n"),
    block('right.md', 'export const helper = () => 1;\n', { line: 20, file: 'helper.ts' }),
    block('right.md', 'const term: number = lease.term;\n', { line: 30, context: 'lead' }),
    block('name.md', "import type { Leese } from '@detector-cluster/election';\n"),
    block('package.md', "import { Elector } from '@detector-cluster/elections';\n"),
    block('member.md', 'lease.isValid();\nlease.isValidd();\n', { context: 'lead' }),
    block(
      'option.md',
      "import { FakeElection } from '@detector-cluster/election/testing';\n\nnew FakeElection({ clok: 1 });\n",
    ),
    block('implicit.md', 'const f = (x) => x;\n'),
    block('syntax.md', 'const x: = 1;\n'),
    block('other.md', "import { helper } from './helper.js';\n"),
    block('context.md', 'lease.term;\n', { context: 'none' }),
  ];
  const problems = toLines(compileBlocks(blocks, { root, contexts, stand: {} }));
  expect(problems.map((problem) => problem.slice(0, 90))).toEqual([
    'context.md:10: there is no context "none"',
    expect.stringMatching(/^name\.md:10: .*has no exported member named 'Leese'/),
    expect.stringMatching(/^package\.md:10: Cannot find module/),
    expect.stringMatching(/^member\.md:11: Property 'isValidd' does not exist/),
    expect.stringMatching(/^option\.md:12: Object literal may only specify known/),
    expect.stringMatching(/^implicit\.md:10: Parameter 'x' implicitly/),
    expect.stringMatching(/^syntax\.md:10: /),
    expect.stringMatching(/^other\.md:10: Cannot find module/),
  ]);
});
