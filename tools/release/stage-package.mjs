// Writes a package as npm gets it into a folder of its own: the files that its entry points reach, and a manifest without what only
// this repository needs. A package is published from there (`publishConfig.directory`), and `npm run test:pack` tries the same folder.
// `node tools/release/stage-package.mjs` stages all public packages.
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the sources are, for those who work on this repository. */
const SOURCE_CONDITION = '@detector-cluster/source';

/** Below the folder of a package. */
export const STAGE = '.package';

/** Files of every package beside its code. */
const TEXTS = ['README.md', 'LICENSE'];

/**
 * @param {string} folder of the package
 * @param {string} target
 * @returns the staged manifest
 */
export async function stagePackage(folder, target = join(folder, STAGE)) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  await rm(target, { recursive: true, force: true });
  for (const file of await reachable(folder, entriesOf(manifest))) {
    const text = await readFile(join(folder, file), 'utf8');
    await mkdir(dirname(join(target, file)), { recursive: true });
    // Maps lead to sources that are not in the package.
    const unmapped = text.replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
    await writeFile(join(target, file), file.endsWith('.js') ? withoutComments(unmapped) : unmapped);
  }
  for (const text of TEXTS) await cp(join(folder, text), join(target, text));
  const schemas = (manifest.files ?? []).filter(
    (name) => !['dist', 'src'].includes(name) && !/[!*]/.test(name),
  );
  for (const name of schemas) await cp(join(folder, name), join(target, name), { recursive: true });
  const staged = publishedManifest(manifest);
  await writeFile(join(target, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`);
  return staged;
}

/** Editors and readers have the comments in the declarations; in the code they would be a sixth of the package. */
function withoutComments(text) {
  const compilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    removeComments: true,
  };
  return ts.transpileModule(text, { compilerOptions, fileName: 'file.js' }).outputText;
}

/** Without the sources, and without what is only needed to build and test. */
function publishedManifest(source) {
  const manifest = { ...source, publishConfig: { ...source.publishConfig } };
  delete manifest.devDependencies;
  delete manifest.files;
  delete manifest.publishConfig.directory;
  const exports = Object.entries(manifest.exports).map(([path, target]) => {
    if (typeof target === 'string') return [path, target];
    const published = Object.entries(target).filter(([condition]) => condition !== SOURCE_CONDITION);
    return [path, Object.fromEntries(published)];
  });
  return { ...manifest, exports: Object.fromEntries(exports) };
}

function entriesOf({ exports, bin = {} }) {
  const targets = Object.values(exports).filter((target) => typeof target === 'object');
  return [...targets.flatMap(({ types, default: file }) => [types, file]), ...Object.values(bin)]
    .filter(Boolean)
    .map((path) => normalize(path));
}

/** The files that these import, and those that they import, within the package. */
async function reachable(folder, entries) {
  const found = new Set(entries);
  for (const file of found) {
    const text = await readFile(join(folder, file), 'utf8');
    const { importedFiles } = ts.preProcessFile(text, true, true);
    for (const { fileName } of importedFiles)
      if (fileName.startsWith('.')) found.add(resolve(file, fileName));
  }
  return found;
}

/** A declaration imports declarations. */
function resolve(from, name) {
  const path = normalize(join(dirname(from), name));
  return from.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path;
}

/** Folders of the packages that are published. */
export async function publicPackages() {
  const folders = [];
  for (const parent of ['libs', 'apps'])
    for (const name of await readdir(join(root, parent))) {
      const folder = join(root, parent, name);
      const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{"private":true}');
      if (JSON.parse(text).publishConfig) folders.push(folder);
    }
  return folders;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const folder of await publicPackages()) await stagePackage(folder);
