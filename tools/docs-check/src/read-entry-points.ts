import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMarkdown, type MarkdownDocument } from './parse-markdown.js';

/** A path that users of a library import, e.g. `@detector-cluster/election/redis`. */
export interface EntryPoint {
  readonly name: string;
  /** Its source, from the root of the repository. */
  readonly source: string;
}

/** What the libraries share among themselves under this path may change in any version. */
const INTERNAL = /^\.\/internal(\/|$)/;

/** All entry points of the public libraries. */
export async function readEntryPoints(root: string): Promise<EntryPoint[]> {
  const libraries = (await readdir(join(root, 'libs'))).sort();
  const entries = libraries.map(async (library) => {
    const manifest = JSON.parse(await readFile(join(root, 'libs', library, 'package.json'), 'utf8')) as {
      name: string;
      private?: boolean;
      exports: Record<string, Record<string, string>>;
    };
    if (manifest.private === true) return [];
    return Object.entries(manifest.exports).flatMap(([path, { '@detector-cluster/source': source }]) =>
      source === undefined || INTERNAL.test(path)
        ? []
        : [{ name: manifest.name + path.slice(1), source: join('libs', library, source) }],
    );
  });
  return (await Promise.all(entries)).flat();
}

/** The comment with which the source of an entry point begins. */
export async function readEntryComment(root: string, { source }: EntryPoint): Promise<MarkdownDocument> {
  const text = await readFile(join(root, source), 'utf8');
  const [comment = ''] = /^\/\*\*(?:(?!\*\/)[^])*@packageDocumentation\n \*\//.exec(text) ?? [];
  return parseMarkdown(source, comment.replace(/^ ?(?:\/\*\*|\*\/|\* ?)/gm, ''));
}
