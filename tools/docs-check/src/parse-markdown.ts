import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
import { repositoryFiles } from './repository-files.js';

/** A fenced block of code. */
export interface CodeBlock {
  /** Path of its document from the root of the repository. */
  readonly document: string;
  /** Line number of its first line of code in the document, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** From `<!-- context: name -->` before it: the code around a fragment when it is compiled. */
  readonly context?: string;
  /** From `<!-- file: name.ts -->` before it: the name by which other blocks of the document import it. */
  readonly file?: string;
}

/** A text with its line. */
interface Mention {
  readonly line: number;
  readonly text: string;
}

/** Code within the text. */
interface CodeMention extends Mention {
  /** The row of a table that it is in. */
  readonly row?: TableRow;
  /** From 0. */
  readonly column?: number;
}

/** The texts of the cells of a row, as they are in the document. */
type TableRow = readonly string[];

/** The parts of a Markdown file that the checks need. */
export interface MarkdownDocument {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  /** Targets of links and images. */
  readonly links: readonly Mention[];
  readonly code: readonly CodeMention[];
  /** Possible link targets after `#`. */
  readonly anchors: ReadonlySet<string>;
}

/** All Markdown files of the repository. */
export async function readDocuments(root: string): Promise<MarkdownDocument[]> {
  const paths = repositoryFiles(root, '*.md').sort();
  return Promise.all(
    paths.map(async (path) => parseMarkdown(path, await readFile(join(root, path), 'utf8'))),
  );
}

type Token = ReturnType<MarkdownIt['parse']>[number];

export interface Placed {
  readonly token: Token;
  readonly line: number;
}

interface PlacedInRow extends Placed {
  readonly row?: TableRow;
  readonly column?: number;
}

const parser = new MarkdownIt({ html: true });

/** The tokens of a document, each with its line. */
export const readTokens = (text: string): Placed[] => withLines(parser.parse(text, {}));

/** @param path Of the document, from the root of the repository. */
export function parseMarkdown(path: string, text: string): MarkdownDocument {
  const placed = readTokens(text);
  const tokens = placed.map(({ token }) => token);
  const inline = withRows(placed).flatMap(({ token, ...place }) =>
    (token.children ?? []).map((child): PlacedInRow => ({ token: child, ...place })),
  );
  return {
    path,
    blocks: tokens.flatMap((token, index) =>
      token.type === 'fence' ? [toBlock(path, token, htmlBefore(tokens, index))] : [],
    ),
    links: [...linksOf(inline), ...linksOfHtml([...placed, ...inline])],
    code: inline
      .filter(({ token }) => token.type === 'code_inline')
      .map(({ token, ...place }) => ({ ...place, text: token.content })),
    anchors: new Set([...headingsOf(tokens), ...anchorsOfHtml(text)]),
  };
}

/** The comments right before a block. */
function htmlBefore(tokens: readonly Token[], end: number): string {
  const before = tokens.slice(0, end);
  return before
    .slice(before.findLastIndex(({ type }) => type !== 'html_block') + 1)
    .map(({ content }) => content)
    .join('');
}

function toBlock(document: string, token: Token, comments: string): CodeBlock {
  const directives = Object.fromEntries(
    Array.from(comments.matchAll(/<!-- (context|file): (\S+) -->/g), ([, name, value]) => [name, value]),
  );
  return {
    document,
    line: (token.map?.[0] ?? 0) + 2,
    language: token.info.trim(),
    text: token.content,
    ...directives,
  };
}

function linksOf(inline: readonly Placed[]): Mention[] {
  return inline.flatMap(({ token, line }) => {
    const target = token.attrGet('href') ?? token.attrGet('src');
    return target === null ? [] : [{ line, text: decodeURI(target) }];
  });
}

function linksOfHtml(tokens: readonly Placed[]): Mention[] {
  return tokens
    .filter(({ token }) => token.type === 'html_block' || token.type === 'html_inline')
    .flatMap(({ token, line }) =>
      Array.from(token.content.matchAll(/ (?:href|src|srcset)="([^"]+)"/g), ([, target]) => ({
        line,
        text: target!,
      })),
    );
}

/** The parser gives cells of a table no line, so they get the line of the preceding token. */
function withLines(tokens: readonly Token[]): Placed[] {
  let line = 1;
  return tokens.map((token) => {
    if (token.map) line = token.map[0] + 1;
    return { token, line };
  });
}

/** Adds the row and the column to the tokens of tables. */
function withRows(tokens: readonly Placed[]): PlacedInRow[] {
  let row: string[] | undefined;
  return tokens.map((placed) => {
    const { type, content } = placed.token;
    if (type === 'tr_open') row = [];
    else if (type === 'tr_close') row = undefined;
    else if (type === 'inline' && row !== undefined) return { ...placed, row, column: row.push(content) - 1 };
    return placed;
  });
}

/** Makes the same anchors as GitHub. */
function headingsOf(tokens: readonly Token[]): string[] {
  const slugger = new GithubSlugger();
  return tokens
    .filter((_, index) => tokens[index - 1]?.type === 'heading_open')
    .map(({ children }) =>
      slugger.slug(
        (children ?? [])
          .filter(({ type }) => type === 'text' || type === 'code_inline')
          .map(({ content }) => content)
          .join(''),
      ),
    );
}

function anchorsOfHtml(text: string): string[] {
  return Array.from(text.matchAll(/<a (?:id|name)="([^"]+)"/g), ([, name]) => name!);
}
