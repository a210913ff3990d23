import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const root = new URL('../../../', import.meta.url);
const manifests = readdirSync(new URL('libs/', root))
  .map((library): Manifest => {
    return JSON.parse(readFileSync(new URL(`libs/${library}/package.json`, root), 'utf8')) as Manifest;
  })
  .filter((manifest) => manifest.private !== true);

/** `package dependency` of each row of the table below a heading. */
function rowsOf(heading: string): string[] {
  const page = readFileSync(new URL('docs/dependencies.md', root), 'utf8');
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|/gm)].map(([, from, to]) => `${from} ${to}`);
}

function declared(of: (manifest: Manifest) => readonly string[]): string[] {
  return manifests.flatMap((manifest) => of(manifest).map((name) => `${manifest.name} ${name}`));
}

const peers =
  (optional: boolean) =>
  ({ peerDependencies = {}, peerDependenciesMeta = {} }: Manifest) =>
    Object.keys(peerDependencies).filter(
      (name) => (peerDependenciesMeta[name]?.optional ?? false) === optional,
    );

describe('the page on dependencies lists', () => {
  it.each([
    ['Dependencies', ({ dependencies = {} }: Manifest) => Object.keys(dependencies)],
    ['Peer dependencies', peers(false)],
    ['Optional peer dependencies', peers(true)],
  ])('%s as the manifests of the packages declare them', (heading, of) => {
    expect(rowsOf(heading).sort()).toEqual(declared(of).sort());
  });
});
