import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The commands that a reader can run in the repository. */
export interface Programs {
  /** Scripts of `package.json` by the folder of that file, `''` for the root. */
  readonly scripts: ReadonlyMap<string, ReadonlySet<string>>;
  /** Options of programs by their names: `elector`, or a script that runs one. */
  readonly flags: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Sources of the programs with options, by the name of their command. */
const SOURCES: Readonly<Record<string, string>> = {
  elector: 'apps/elector/src/cli',
  'npm run demo': 'tools/demo/src',
  'npm run bench': 'tools/bench/src',
  'npm run chaos': 'tools/chaos/src',
  'npm run soak': 'tools/chaos/src',
  'npm run sample': 'tools/sample-runner/src',
};

/** @param folders That may have a `package.json`, from the root. */
export async function readPrograms(root: string, folders: readonly string[]): Promise<Programs> {
  const flags = Object.entries(SOURCES).map(
    async ([name, folder]) => [name, new Set(await flagsOfFolder(join(root, folder)))] as const,
  );
  const scripts = ['', ...folders].map(
    async (folder) => [folder, new Set(await scriptsOf(join(root, folder)))] as const,
  );
  return { scripts: new Map(await Promise.all(scripts)), flags: new Map(await Promise.all(flags)) };
}

async function flagsOfFolder(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap(flagsOf);
}

async function scriptsOf(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, string> };
  return Object.keys(scripts);
}

/**
 * The options that a program declares, with their dashes: the first argument of commander's `option` or of a function named `flag`,
 * and entries of the `options` for `parseArgs`, such as `runs: { type: 'string', short: 'r' }`.
 */
export function flagsOf(text: string): string[] {
  const commander = [...text.matchAll(/\b(?:flag|option)\(\s*'([^']*)'/g)];
  const parsed = [
    ...text.matchAll(/'?([a-z][a-z-]*)'?: \{\s*type: '(?:string|boolean)'(?:[^}]*\bshort: '(\w)')?/g),
  ];
  return [
    ...commander.flatMap(([, flags]) => flags!.match(/--?[a-z][a-z-]*/g) ?? []),
    ...parsed.flatMap(([, name, short]) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]),
  ];
}
