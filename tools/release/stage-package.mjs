// Writes the publishable form of a package into a separate folder: the files that its entry points reach, and a manifest without
// entries that only this repository needs. npm publishes this folder (`publishConfig.directory`), and `npm run test:pack` tests it.
// `node tools/release/stage-package.mjs` stages all public packages.
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Export condition for the sources, used only within this repository. */
const SOURCE_CONDITION = '@detector-cluster/source';

/** Name of the staging folder in a package. */
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
    // Source maps refer to sources that are not in the package.
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

/** The declarations keep the comments for editors and readers. In the code, comments would be a sixth of the package. */
function withoutComments(text) {
  const compilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    removeComments: true,
  };
  return ts.transpileModule(text, { compilerOptions, fileName: 'file.js' }).outputText;
}

/** Removes the sources, and entries that only builds and tests need. */
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
  return { ...manifest, ...typesByPath(manifest.exports), exports: Object.fromEntries(exports) };
}

/** For `moduleResolution` "node10", which `module` "commonjs" of TypeScript 5 implies and which does not read `exports`. */
function typesByPath(exports) {
  const declarations = Object.entries(exports)
    .filter(([, { types }]) => types)
    .map(([path, { types }]) => [path.slice(2), [types]]);
  if (declarations.length === 0) return {};
  const { types, default: main } = exports['.'];
  return { main, types, typesVersions: { '*': Object.fromEntries(declarations.filter(([path]) => path)) } };
}

function entriesOf({ exports, bin = {} }) {
  const targets = Object.values(exports).filter((target) => typeof target === 'object');
  return [...targets.flatMap(({ types, default: file }) => [types, file]), ...Object.values(bin)]
    .filter(Boolean)
    .map((path) => normalize(path));
}

/** Files of the package that these import, directly or indirectly. */
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

/** Maps an import in a declaration to the imported declaration. */
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
