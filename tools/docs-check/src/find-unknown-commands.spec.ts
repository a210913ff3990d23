import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './parse-markdown.js';
import { findUnknownCommands } from './find-unknown-commands.js';
import type { Programs } from './programs.js';

const programs: Programs = {
  scripts: new Map([
    ['', new Set(['test', 'demo', 'build'])],
    ['samples/001', new Set(['start'])],
  ]),
  flags: new Map([
    ['npm run demo', new Set(['--smoke'])],
    ['elector', new Set(['--backend', '--lock-name'])],
  ]),
};

const check = (...lines: string[]) =>
  findUnknownCommands([parseMarkdown('page.md', ['```sh', ...lines, '```'].join('\n'))], programs).map(
    ({ message }) => message,
  );

describe('findUnknownCommands', () => {
  it.each([
    'npm ci && npm run demo -- --smoke   # all at once',
    'npm run --silent build && npm test',
    'REDIS_URL=redis://localhost npm test',
    'cd samples/001 && npm start',
    'npm start --workspace samples/001',
    "elector exec --backend redis --lock-name 'a b' -- ./worker --queue mail",
    'elector run --help',
    'docker compose --profile mongodb up -d',
  ])('takes %s', (command) => {
    expect(check(command)).toEqual([]);
  });

  it.each([
    ['npm run nothing', 'package.json has no script "nothing"'],
    ['npm ci && npm run demos', 'package.json has no script "demos"'],
    ['npm start', 'package.json has no script "start"'],
    ['cd samples/002 && npm start', 'samples/002/package.json has no script "start"'],
    ['npm run test --workspace samples/001', 'samples/001/package.json has no script "test"'],
    ['npm run demo -- --smokes', 'npm run demo has no option --smokes'],
    ['elector exec --backends redis -- true', 'elector has no option --backends'],
    ['elector run --lock=mine', 'elector has no option --lock'],
  ])('refuses %s', (command, problem) => {
    expect(check(command)).toEqual([problem]);
  });

  it('reads continued lines, and commands within a text', () => {
    expect(check('elector run \\', '  --backend redis \\', '  --lock mine')).toEqual([
      'elector has no option --lock',
    ]);
    const text = parseMarkdown('page.md', 'Call `npm run demo -- --none`, `npm start` or `npm stop`.');
    expect(findUnknownCommands([text], programs)).toEqual([
      { document: 'page.md', line: 1, message: 'npm run demo has no option --none' },
      { document: 'page.md', line: 1, message: 'no package.json has a script "stop"' },
    ]);
  });
});
