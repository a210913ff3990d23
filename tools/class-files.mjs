// Fails if an exported class is not in the file of its name: `LeaseRenewer` in `lease-renewer.ts`, `ApiKeyGuard` in `api-key.guard.ts`.
// An error may also stand beside what throws it, or with others in one file. Tests are free.
// `node tools/class-files.mjs [root]`
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

const TEST = /\.(spec|fixture|generated|d)\.tsx?$|(^|\/)(generated|fixtures|test-support|scenarios)\//;

/** Sources of the packages, as paths from the root. */
function sources() {
  return ['libs', 'apps', 'tools']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/src`))
    .flatMap((folder) => filesOf(folder).map((file) => `${folder}/${file.replaceAll('\\', '/')}`))
    .filter((path) => /\.tsx?$/.test(path) && !TEST.test(path));
}

function filesOf(folder) {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  } catch (error) {
    // A tool of one file has no sources.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  }
}

function exportedClasses(path) {
  const { statements } = ts.createSourceFile(
    path,
    readFileSync(join(root, path), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  return statements
    .filter(ts.isClassDeclaration)
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .map(({ name }) => name?.text ?? 'default');
}

let classes = 0;
let misplaced = 0;
for (const path of sources()) {
  const file = basename(path)
    .replace(/\.tsx?$/, '')
    .replaceAll(/[-.]/g, '');
  for (const name of exportedClasses(path)) {
    classes++;
    if (name.toLowerCase() === file || /(Error|Exception)$/.test(name)) continue;
    misplaced++;
    console.error(`${path}: move the class ${name} into the file of its name`);
  }
}
if (misplaced > 0) process.exit(1);
console.log(`${classes} exported classes: each in the file of its name`);
