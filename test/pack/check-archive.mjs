// What must hold for the archive of one package before a user installs it.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { readFile, readdir } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Most bytes of a package, unpacked. */
const MAX_BYTES = 1_000_000;

/** Says of every ES module that `require` cannot load it, as before Node 20.19. */
const NOT_FOR = new Set(['CJSResolvesToESM']);

/**
 * @param {{ folder: string; manifest: object; names: string[]; unpacked: number; bytes: Buffer; licence: string }} archive
 *   The package's folder and manifest, what is inside, its size in bytes, the archive itself, the text of the repository's licence.
 * @throws Error that says what is wrong.
 */
export async function checkArchive({ folder, manifest, names, unpacked, bytes, licence }) {
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const problems = [
    ...strayFiles(names),
    ...missingFiles(manifest, names),
    ...(await missingSchemas(folder, names)),
    ...(await wrongTexts(folder, names, licence)),
    ...wrongMetadata(manifest),
    ...tooLarge(unpacked),
    ...(await deadLinks(folder, names)),
    ...(await wrongDependencies(folder, manifest, names)),
    ...(await untransformable(folder, names)),
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
  const stray = /^src\/|\.map$|\.(spec|fixture)\.|tsbuildinfo|(^|\/)fixtures\/|test-support|node_modules/;
  return names.filter((name) => stray.test(name)).map((name) => `${name} would be published`);
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

/** What npm shows, and what a publication with provenance needs. */
function wrongMetadata({ name, description, keywords, homepage, bugs, repository, publishConfig, ...rest }) {
  const problems = [];
  const need = (what, fits) => fits || problems.push(`${what} is missing or wrong`);
  const home = repository?.url?.replace(/^git\+/, '').replace(/\.git$/, '');
  need('description', description?.length > 20);
  need('keywords', keywords?.length >= 5 && new Set(keywords).size === keywords.length);
  need('repository', repository?.type === 'git' && /^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(home));
  need('repository.directory', repository?.directory?.endsWith(`/${name.split('/')[1]}`));
  need('homepage', homepage === `${home}/tree/main/${repository?.directory}#readme`);
  need('bugs', bugs?.url === `${home}/issues`);
  need('publishConfig', publishConfig?.access === 'public' && publishConfig?.provenance === true);
  need('sideEffects', rest.sideEffects !== undefined);
  need('engines.node', rest.engines?.node !== undefined);
  need('exports without sources', !JSON.stringify(rest.exports).includes('/src/'));
  return problems;
}

/** @param {number} unpacked bytes */
function tooLarge(unpacked) {
  return unpacked > MAX_BYTES ? [`unpacks to ${unpacked} bytes, more than ${MAX_BYTES}`] : [];
}

/** npm shows the README without the repository around it. */
async function deadLinks(folder, names) {
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  return links
    .filter((link) => !/^(https:\/\/|#)/.test(link) && !names.includes(link))
    .map((link) => `README.md links to ${link}, which is not in the package`);
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

/** Tools that turn ES modules into CommonJS, such as Jest's transforms, know no `import.meta`. */
async function untransformable(folder, names) {
  const files = names.filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return files.filter((_, i) => texts[i].includes('import.meta')).map((name) => `${name} uses import.meta`);
}

/** The peers of these packages, although no source here imports them. */
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
    .filter(({ kind }) => !NOT_FOR.has(kind))
    .map(({ kind, entrypoint = '', resolutionKind = '', ...more }) =>
      `types: ${kind} ${entrypoint} ${resolutionKind} ${JSON.stringify(more)}`.trim(),
    );
}
