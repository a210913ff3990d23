// What must hold for the archive of one package before anybody installs it.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { readFile, readdir } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Resolutions of those who cannot load ES modules, which is all that there is here. */
const NOT_FOR = new Set(['node10', 'node16-cjs']);

/**
 * @param {{ folder: string; manifest: object; names: string[]; bytes: Buffer; licence: string }} archive
 *   The package's folder and manifest, what is inside, the archive itself, the text of the repository's licence.
 * @throws Error that says what is wrong.
 */
export async function checkArchive({ folder, manifest, names, bytes, licence }) {
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const problems = [
    ...strayFiles(names),
    ...staleFiles(names, folder),
    ...missingFiles(manifest, names),
    ...(await missingSchemas(folder, names)),
    ...(await wrongTexts(folder, names, licence)),
    ...(await wrongDependencies(folder, manifest, names)),
    ...(await wrongByPublint(tarball)),
    ...(await wrongTypes(tarball, manifest)),
  ];
  if (problems.length > 0) throw new Error(problems.map((text) => `${manifest.name}: ${text}`).join('\n'));
}

/** Entry points with code, as `[path, { types, default }]`. */
export function entriesOf(manifest) {
  return Object.entries(manifest.exports).filter(([path]) => !path.endsWith('.json'));
}

function strayFiles(names) {
  const stray = /\.(spec|fixture)\.|tsbuildinfo|(^|\/)fixtures\/|test-support|node_modules/;
  return names.filter((name) => stray.test(name)).map((name) => `${name} would be published`);
}

const sourceOf = (name) => name.replace(/^dist\/(.*)\.js$/, 'src/$1.ts');

function staleFiles(names, folder) {
  return names
    .filter((name) => /^dist\/.*\.js$/.test(name) && !names.includes(sourceOf(name)))
    .map((name) => `${name} has no source; remove ${folder}/dist and build`);
}

function missingFiles(manifest, names) {
  return entriesOf(manifest)
    .flatMap(([, { types, default: file }]) => [types, file])
    .concat(Object.values(manifest.bin ?? {}))
    .filter((target) => !names.includes(target.slice(2)))
    .map((target) => `${target} would not be published`);
}

async function missingSchemas(folder, names) {
  const schemas = await readdir(join(folder, 'schemas'), { recursive: true }).catch(() => []);
  return schemas
    .filter((name) => name.endsWith('.json') && !names.includes(`schemas/${name}`))
    .map((name) => `schemas/${name} would not be published`);
}

async function wrongTexts(folder, names, licence) {
  const missing = ['README.md', 'LICENSE'].filter((name) => !names.includes(name));
  if (missing.length > 0) return missing.map((name) => `${name} would not be published`);
  const same = (await readFile(join(folder, 'LICENSE'), 'utf8')) === licence;
  return same ? [] : [`LICENSE is not that of the repository`];
}

/** Every package that is imported is declared, and every one that is declared is imported. */
async function wrongDependencies(folder, manifest, names) {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const declared = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  const wanted = await peersOf([...declared]);
  const files = names.filter((name) => /^dist\/.*\.(js|d\.ts)$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const imported = new Set(texts.flatMap(importsOf));
  // Also in a variable, so that an optional peer is not looked for by bundlers.
  const isNamed = (name) => texts.some((text) => text.includes(`'${name}'`));
  return [
    ...[...imported]
      .filter((name) => name !== manifest.name && !declared.has(name))
      .map((name) => `imports ${name}, which is no dependency of it`),
    ...[...declared]
      .filter((name) => !imported.has(name) && !wanted.includes(name) && !isNamed(name))
      .map((name) => `depends on ${name}, which it does not import`),
    ...Object.keys(peerDependenciesMeta)
      .filter((name) => !(name in peerDependencies))
      .map((name) => `${name} is marked as optional and is no peer`),
  ];
}

/** What these packages want to be given, although nobody here imports it. */
async function peersOf(packages) {
  const manifests = packages.map(async (name) =>
    JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8')),
  );
  return (await Promise.all(manifests)).flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies));
}

function importsOf(text) {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
}

async function wrongByPublint(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages
    .filter(({ type }) => type !== 'suggestion')
    .map((message) => formatMessage(message, pkg, { color: false }));
}

async function wrongTypes(tarball, manifest) {
  if (entriesOf(manifest).length === 0) return [];
  const archive = createPackageFromTarballData(new Uint8Array(tarball));
  const result = await checkPackage(archive, {
    entrypoints: entriesOf(manifest).map(([path]) => path),
  });
  if (!result.types) return ['has no types'];
  return result.problems
    .filter(({ resolutionKind }) => !NOT_FOR.has(resolutionKind))
    .map(({ kind, entrypoint = '', resolutionKind = '', ...more }) =>
      `types: ${kind} ${entrypoint} ${resolutionKind} ${JSON.stringify(more)}`.trim(),
    );
}
