import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** The name of the page beside that of the dashboard. */
export const RUNBOOK_FILE = 'runbook.html';

const MANUAL = new URL('../../../../docs/operations.md', import.meta.url);
const STYLES = new URL('runbook.css', import.meta.url);

/** Makes the page of the runbook out of the manual, so that the service can serve what its alerts link to. */
export function runbook(): Plugin {
  return {
    name: 'runbook',
    apply: 'build',
    generateBundle() {
      const source = runbookPage(readFileSync(MANUAL, 'utf8'));
      this.emitFile({ type: 'asset', fileName: RUNBOOK_FILE, source });
      this.emitFile({ type: 'asset', fileName: 'runbook.css', source: readFileSync(STYLES, 'utf8') });
    },
  };
}

/** The section `Runbook` of the manual as a page. @throws if there is none */
export function runbookPage(markdown: string): string {
  const [, section] = /^## Runbook\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(markdown) ?? [];
  if (section === undefined) throw new Error('the manual has no section "Runbook"');
  const blocks = section.trim().split(/\n{2,}/);
  const ids = new Set(blocks.flatMap((block) => headingOf(block)?.id ?? []));
  const body = blocks.map((block) => htmlOf(block, ids)).join('\n');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Runbook</title>
    <link rel="stylesheet" href="runbook.css" />
  </head>
  <body>
    <main>
<h1>Runbook</h1>
${body}
    </main>
  </body>
</html>
`;
}

function headingOf(
  block: string,
): { readonly level: number; readonly text: string; readonly id: string } | null {
  const [, marks, text] = /^(#{3,4}) (.+)$/.exec(block) ?? [];
  if (marks === undefined || text === undefined) return null;
  return { level: marks.length - 1, text, id: text.toLowerCase().replaceAll(' ', '-') };
}

/** Headings, lists and paragraphs: the runbook has nothing else. */
function htmlOf(block: string, ids: ReadonlySet<string>): string {
  const heading = headingOf(block);
  if (heading !== null) {
    const { id, level, text } = heading;
    return `<h${level} id="${escape(id)}">${inline(text, ids)}</h${level}>`;
  }
  if (!block.startsWith('- ')) return `<p>${inline(block, ids)}</p>`;
  const items = block.slice(2).split(/\n- /);
  return `<ul>${items.map((item) => `<li>${inline(item, ids)}</li>`).join('')}</ul>`;
}

/** A link to another page of the manual becomes its text: the service does not serve that page. */
function inline(text: string, ids: ReadonlySet<string>): string {
  return escape(text)
    .split(/(`[^`]+`)/)
    .map((part) => {
      if (part.startsWith('`')) return `<code>${part.slice(1, -1)}</code>`;
      return part
        .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
        .replaceAll(/\[([^\]]+)\]\(#([^)]+)\)/g, (_, words: string, id: string) =>
          ids.has(id) ? `<a href="#${id}">${words}</a>` : words,
        )
        .replaceAll(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g, '$1 ($2)');
    })
    .join('');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
