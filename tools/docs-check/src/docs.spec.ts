import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { findBrokenLinks } from './find-broken-links.js';
import { type CodeBlock, type MarkdownDocument, readDocuments } from './parse-markdown.js';
import { type EntryPoint, readEntryComment, readEntryPoints } from './read-entry-points.js';
import { findUnknownNames } from './find-unknown-names.js';
import { findUnknownSteps } from './find-unknown-steps.js';
import { readSourceNames } from './source-names.js';
import { toLines } from './problem.js';
import { findUnknownCommands } from './find-unknown-commands.js';
import { readPrograms } from './programs.js';
import { compileBlocks, publicNames } from './compile-blocks.js';

const root = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const contextFolder = join(root, 'tools/docs-check/contexts');

/** Allowed languages of blocks; others would not be checked or highlighted. */
const LANGUAGES = new Set([
  'ts',
  'js',
  'json',
  'sh',
  'mermaid',
  'text',
  'yaml',
  'sql',
  'python',
  'ini',
  'promql',
]);

/** The client that `npm run generate` makes, in place of an application's own. */
const STAND = { 'generated/prisma/client.ts': 'apps/cms-backend/src/generated/prisma/client.js' };

/** Folders that may have a `package.json`, except the root. */
async function foldersOfPackages(): Promise<string[]> {
  const parents = ['libs', 'apps', 'tools', 'samples'];
  const folders = parents.map(async (parent) =>
    (await readdir(join(root, parent))).map((name) => `${parent}/${name}`),
  );
  return (await Promise.all(folders)).flat();
}

/** Every package with each path that it exports. */
async function readExportedPaths(folders: readonly string[]): Promise<Set<string>> {
  const paths = folders.map(async (folder) => {
    const text = await readFile(join(root, folder, 'package.json'), 'utf8').catch(() => '{}');
    const { name, exports = {} } = JSON.parse(text) as { name?: string; exports?: object };
    return name === undefined ? [] : [name, ...Object.keys(exports).map((path) => name + path.slice(1))];
  });
  return new Set((await Promise.all(paths)).flat());
}

let documents: readonly MarkdownDocument[];
let contexts: ReadonlyMap<string, string>;
const blocksOf = (...languages: string[]): CodeBlock[] =>
  documents.flatMap(({ blocks }) => blocks.filter(({ language }) => languages.includes(language)));

beforeAll(async () => {
  documents = await readDocuments(root);
  const names = await readdir(contextFolder);
  contexts = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => [
        name.replace(/\.ts$/, ''),
        await readFile(join(contextFolder, name), 'utf8'),
      ]),
    ),
  );
});

describe('the documentation', () => {
  it('is found', () => {
    const paths = documents.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/election.md']));
    expect(blocksOf('ts').length).toBeGreaterThan(15);
  });

  it('names the language of each block of code', () => {
    const unknown = documents
      .flatMap(({ blocks }) => blocks)
      .filter(({ language }) => !LANGUAGES.has(language))
      .map(({ language, ...block }) => ({ ...block, message: `the language "${language}" is not known` }));
    expect(toLines(unknown)).toEqual([]);
  });

  it('has TypeScript that compiles', () => {
    expect(toLines(compileBlocks(blocksOf('ts'), { root, contexts, stand: STAND }))).toEqual([]);
  });

  it('has a use for each context', () => {
    const used = new Set(blocksOf('ts').map(({ context }) => context));
    expect([...contexts.keys()].filter((name) => !used.has(name))).toEqual([]);
  });

  it('has valid JSON', () => {
    const broken = blocksOf('json').flatMap((block) => {
      try {
        JSON.parse(block.text);
        return [];
      } catch (error) {
        return [{ ...block, message: String(error) }];
      }
    });
    expect(toLines(broken)).toEqual([]);
  });

  it('names only existing scripts and options', async () => {
    const programs = await readPrograms(root, await foldersOfPackages());
    expect(programs.flags.get('elector')!.size).toBeGreaterThan(20);
    expect(programs.flags.get('npm run bench')!.size).toBeGreaterThan(3);
    expect(toLines(findUnknownCommands(documents, programs))).toEqual([]);
  });

  it('has only existing names of the project in the page on source documents', async () => {
    const page = 'docs/source-documents.md';
    const folders = await foldersOfPackages();
    const programs = await readPrograms(root, folders);
    const context = {
      root,
      names: await readSourceNames(root, ['libs', 'apps']),
      flags: programs.flags.get('elector')!,
      entryPoints: await readExportedPaths(folders),
    };
    const text = await readFile(join(root, page), 'utf8');
    expect(text.match(/^\| /gm)!.length).toBeGreaterThan(250);
    expect(toLines(findUnknownNames(page, text, context))).toEqual([]);
  });

  it('walks through functions that exist', async () => {
    const page = 'docs/architecture.md';
    const text = await readFile(join(root, page), 'utf8');
    const [, walks = ''] = text.split('\n## Walks\n');
    expect(walks.split('\n## ', 1)[0]!.match(/^### /gm)).toHaveLength(2);
    const names = await readSourceNames(root, ['libs/placement', 'libs/delivery', 'libs/detector-cluster']);
    expect(toLines(findUnknownSteps(root, page, text, names))).toEqual([]);
  });

  it('names each folder of the libraries in the map of the guide', async () => {
    const text = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
    const [, map = ''] = text.split('\n## Where things are\n');
    const parts = map.split('\n## ', 1)[0]!.split('\nlibs/').slice(1);
    const missing = parts.map(async (part) => {
      const library = /^[a-z-]+/.exec(part)![0];
      const entries = await readdir(join(root, 'libs', library, 'src'), { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory() && !/^(test-support|fixtures)$/.test(entry.name))
        .filter(({ name }) => !new RegExp(`(^|\\W)${name}/`).test(part))
        .map(({ name }) => `libs/${library}/src/${name}`);
    });
    expect(parts).toHaveLength(8);
    expect((await Promise.all(missing)).flat()).toEqual([]);
  });

  it('links only to existing targets', () => {
    expect(toLines(findBrokenLinks(root, documents))).toEqual([]);
  });
});

describe('the API reference', () => {
  let entries: readonly EntryPoint[];

  beforeAll(async () => {
    entries = await readEntryPoints(root);
  });

  it('has an example of each entry point, and all compile', async () => {
    const comments = await Promise.all(entries.map((entry) => readEntryComment(root, entry)));
    const examples = comments.map(({ blocks }) => blocks.filter(({ language }) => language === 'ts'));
    expect(entries.filter((_, index) => examples[index]!.length === 0).map(({ name }) => name)).toEqual([]);
    expect(toLines(compileBlocks(examples.flat(), { root, contexts, stand: STAND }))).toEqual([]);
  });

  it('has exactly the names that public-names.json lists', async () => {
    const file = join(root, 'tools/docs-check/public-names.json');
    expect(publicNames(root, entries)).toEqual(JSON.parse(await readFile(file, 'utf8')));
  });
});
