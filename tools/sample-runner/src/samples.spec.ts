import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseSampleOptions, samples } from './samples.js';

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const manifestOf = (...path: string[]): Manifest => JSON.parse(read(...path, 'package.json')) as Manifest;

/** The imports of a sample's files, by `from '…'` or for side effects, without generated files. */
function importsOf(folder: string): string[] {
  const src = join('samples', folder, 'src');
  const files = readdirSync(join(root, src)).filter((name) => name.endsWith('.ts'));
  return files.flatMap((name) =>
    [...read(src, name).matchAll(/(?:^import| from) '([^']+)';$/gm)].map(([, path]) => path!),
  );
}

/** The package name, `@scope/name` or `name`, of any path in it. */
const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

describe('the samples', () => {
  const folders = readdirSync(join(root, 'samples')).filter((name) =>
    existsSync(join(root, 'samples', name, 'package.json')),
  );

  it('are all played, compiled and listed', () => {
    expect(folders.length).toBeGreaterThanOrEqual(5);
    const { references } = JSON.parse(read('samples/tsconfig.json')) as { references: { path: string }[] };
    expect(samples.map(({ folder }) => folder)).toEqual(expect.arrayContaining(folders));
    expect(references.map(({ path }) => path)).toEqual(folders);
    for (const folder of folders) expect(read('samples/README.md')).toContain(`](${folder}/)`);
  });

  it.each(folders)('%s can be copied: imports its own files and what its package.json names', (folder) => {
    const imports = importsOf(folder);
    const outside = imports.filter((path) => path.startsWith('.') && !path.startsWith('./'));
    expect(outside).toEqual([]);
    const packages = new Set(imports.filter((path) => !/^(\.|node:)/.test(path)).map(packageOf));
    const { dependencies } = manifestOf('samples', folder);
    expect(packages.size).toBeGreaterThan(1);
    expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);

    // Other dependencies are needed indirectly: peers, and the runtime of a generated client.
    const peers = [...packages].flatMap((name) =>
      Object.keys(manifestOf('node_modules', name).peerDependencies ?? {}),
    );
    const spare = Object.keys(dependencies).filter(
      (name) => !packages.has(name) && !peers.includes(name) && name !== '@prisma/client',
    );
    expect(spare).toEqual([]);
  });

  it('have an application of about 30 lines with a whole cluster', () => {
    const lines = read('samples/004-detector-cluster/src/main.ts').split('\n');
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(35);
  });
});

describe('parseSampleOptions', () => {
  it.each(['001', '001-cron-on-one-replica'])('finds a sample by %s', (name) => {
    expect(parseSampleOptions([name], samples)).toEqual({ sample: samples[0], smoke: false });
  });

  it('takes --smoke', () => {
    expect(parseSampleOptions(['--smoke', '005'], samples)).toEqual({ sample: samples[4], smoke: true });
  });

  it.each([
    [[], /^which sample\? there are: 001-cron/],
    [['00'], /^no such sample: 00; there are: 001-cron/],
    [['001', '002'], /^no such sample: 001 002; there are/],
    [['001', '--smok'], /--smok/],
  ])('refuses %j', (args, message) => {
    expect(() => parseSampleOptions(args, samples)).toThrow(message);
  });
});
