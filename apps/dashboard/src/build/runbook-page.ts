import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
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
  const tokens = parser.parse(section, {});
  const ids = nameHeadings(tokens);
  const body = parser.renderer.render(tokens, parser.options, ids);
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
${body}    </main>
  </body>
</html>
`;
}

const parser = new MarkdownIt();
const { rules } = parser.renderer;
const { escapeHtml } = parser.utils;

// As one line.
rules.bullet_list_open = () => '<ul>';
rules.bullet_list_close = () => '</ul>\n';
rules.list_item_open = () => '<li>';
rules.list_item_close = () => '</li>';

/** A link to another page of the manual becomes its text: the service does not serve that page. */
rules.link_open = (tokens, at, _options, ids: ReadonlySet<string>) => {
  const href = hrefOf(tokens, at);
  return isOwn(href, ids) ? `<a href="${escapeHtml(href)}">` : '';
};
rules.link_close = (tokens, at, _options, ids: ReadonlySet<string>) => {
  const href = hrefOf(tokens, at);
  if (isOwn(href, ids)) return '</a>';
  const [page] = href.split('#') as [string];
  return page === '' ? '' : ` (${escapeHtml(page)})`;
};

type Tokens = ReturnType<MarkdownIt['parse']>;

const isOwn = (href: string, ids: ReadonlySet<string>): boolean =>
  href.startsWith('#') && ids.has(href.slice(1));

/** The address of the link that begins or ends there. */
function hrefOf(tokens: Tokens, at: number): string {
  const open = tokens.slice(0, at + 1).findLast(({ type }) => type === 'link_open');
  return open?.attrGet('href') ?? '';
}

/** Gives headings their ids, and moves them up one level. Returns the ids. */
function nameHeadings(tokens: Tokens): Set<string> {
  const slugger = new GithubSlugger();
  const ids = new Set<string>();
  for (const [i, token] of tokens.entries()) {
    if (!token.type.startsWith('heading_')) continue;
    token.tag = `h${Number(token.tag.slice(1)) - 1}`;
    if (token.nesting !== 1) continue;
    const id = slugger.slug(tokens[i + 1]!.content);
    token.attrSet('id', id);
    ids.add(id);
  }
  return ids;
}
