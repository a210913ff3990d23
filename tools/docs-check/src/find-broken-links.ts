import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { MarkdownDocument } from './parse-markdown.js';
import type { Problem } from './problem.js';

/** Links within the repository whose file or heading does not exist. */
export function findBrokenLinks(root: string, documents: readonly MarkdownDocument[]): Problem[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  return documents.flatMap(({ path, links }) =>
    links.flatMap(({ line, text }) => {
      const reason = whyBroken(root, byPath, path, text);
      return reason ? [{ document: path, line, message: `the link ${text} names ${reason}` }] : [];
    }),
  );
}

function whyBroken(
  root: string,
  documents: ReadonlyMap<string, MarkdownDocument>,
  from: string,
  link: string,
): string | null {
  if (/^[a-z][a-z+.-]*:/i.test(link)) return null;
  const [file, anchor] = link.split('#', 2) as [string, string?];
  const path = file === '' ? from : posix.normalize(posix.join(posix.dirname(from), file));
  if (path.startsWith('/') || path.startsWith('..')) return 'a path outside of the repository';
  if (!documents.has(path) && !existsSync(posix.join(root, path))) return `${path}, which does not exist`;
  if (anchor === undefined) return null;
  const target = documents.get(path);
  if (!target) return `a heading in ${path}, which is no document`;
  return target.anchors.has(anchor) ? null : `the heading "${anchor}", which ${path} does not have`;
}
