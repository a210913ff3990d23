import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MarkdownDocument } from './markdown-document.js';
import { parseMarkdown } from './parse-markdown.js';

/** Folders without documents, or with generated ones. */
const SKIPPED = /^(node_modules|dist|coverage|generated|\.(?!changeset$).*)$|^docs\/api$/;

/** All Markdown files below `root`. */
export async function readDocuments(root: string): Promise<MarkdownDocument[]> {
  const paths = await findDocuments(root, '');
  return Promise.all(
    paths.sort().map(async (path) => parseMarkdown(path, await readFile(join(root, path), 'utf8'))),
  );
}

async function findDocuments(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (SKIPPED.test(entry.name) || SKIPPED.test(path)) return [];
    if (entry.isDirectory()) return findDocuments(root, path);
    return entry.isFile() && entry.name.endsWith('.md') ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}
