import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCli } from '../../../apps/worker-conformance/src/run-cli.js';

const PAGE = new URL('../../../docs/worker-protocol.md', import.meta.url);

/** `(check `one`)` and `(checks `one`, `another`)`. */
const MARK = /\(checks? ((?:`[a-z0-9-]+`(?:,\s+)?)+)\)/g;

const slugOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-');

/** Sections of the page with the ids of checks that stand there. */
function marksOf(page: string): string[] {
  return page
    .split(/^#{2,} /m)
    .slice(1)
    .flatMap((section) => {
      const slug = slugOf(section.slice(0, section.indexOf('\n')));
      return [...section.matchAll(MARK)].flatMap(([, ids]) =>
        ids!.split(/,\s+/).map((id) => `${slug} ${id.replaceAll('`', '')}`),
      );
    });
}

it('the protocol names each check of worker-conformance once, in the section to which the check links', async () => {
  const lines: string[] = [];
  const code = await runCli(['--list'], { out: (line) => lines.push(line), err: (line) => lines.push(line) });
  expect(code).toBe(0);
  const listed = lines.map((line) => {
    const [id, , link] = line.split('\t');
    return `${link!.slice(link!.indexOf('#') + 1)} ${id}`;
  });
  const page = readFileSync(PAGE, 'utf8').replaceAll(/^## Conformance$[\s\S]*?(?=^## )/gm, '');
  expect(marksOf(page).sort()).toEqual(listed.sort());
});
