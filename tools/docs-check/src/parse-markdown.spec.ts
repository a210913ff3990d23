import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './parse-markdown.js';

const parse = (...lines: string[]) => parseMarkdown('docs/page.md', lines.join('\n'));

describe('parseMarkdown', () => {
  it('finds blocks with their lines, languages and directives', () => {
    const { blocks } = parse(
      '# Page',
      '',
      '<!-- context: master -->',
      '<!-- file: main.ts -->',
      '',
      '```ts',
      'one();',
      '```',
      '',
      '- in a list',
      '',
      '  ```sh',
      '  npm test',
      '  ```',
    );
    expect(blocks).toEqual([
      {
        document: 'docs/page.md',
        line: 7,
        language: 'ts',
        text: 'one();\n',
        context: 'master',
        file: 'main.ts',
      },
      { document: 'docs/page.md', line: 13, language: 'sh', text: 'npm test\n' },
    ]);
  });

  it('makes the same anchors as GitHub', () => {
    const { anchors } = parse('# Pub/sub', '## `runOnce` & more', '## Twice', '## Twice', '<a id="own"></a>');
    expect([...anchors]).toEqual(['pubsub', 'runonce--more', 'twice', 'twice-1', 'own']);
  });

  it('finds links, images and code with the lines of tables', () => {
    const { links, code } = parse(
      '[a](a.md#x) and ![b](b.png)',
      '',
      '| `c` | d |',
      '| --- | --- |',
      '| `npm test` | [e](e.md) |',
      '',
      '<img src="f.png">',
    );
    expect(links).toEqual([
      { line: 1, text: 'a.md#x' },
      { line: 1, text: 'b.png' },
      { line: 5, text: 'e.md' },
      { line: 7, text: 'f.png' },
    ]);
    expect(code).toEqual([
      { line: 3, text: 'c', row: ['`c`', 'd'], column: 0 },
      { line: 5, text: 'npm test', row: ['`npm test`', '[e](e.md)'], column: 0 },
    ]);
  });
});
