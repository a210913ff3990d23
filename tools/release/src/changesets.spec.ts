import assembleReleasePlan from '@changesets/assemble-release-plan';
import { read } from '@changesets/config';
import { getPackages, type Packages } from '@manypkg/get-packages';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { toRelease } from './add-release.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let workspaces: Packages;
let config: Awaited<ReturnType<typeof read>>;
beforeAll(async () => {
  workspaces = await getPackages(root);
  config = await read(root, workspaces);
});

const namesOf = ({ packages }: Packages, isPrivate: boolean) =>
  packages
    .filter(({ packageJson }) => (packageJson.private ?? false) === isPrivate)
    .map(({ packageJson }) => packageJson.name)
    .sort();

const planOf = (type: 'major' | 'minor' | 'patch', name: string) =>
  assembleReleasePlan(
    [{ id: 'one', summary: 'A change.', releases: [{ name, type }] }],
    workspaces,
    config,
    undefined,
  );

describe('.changeset/config.json', () => {
  it('gives all public packages one version', () => {
    expect(namesOf(workspaces, false).length).toBeGreaterThan(5);
    expect(config.fixed.map((names) => [...names].sort())).toEqual([namesOf(workspaces, false)]);
  });

  it.each(['patch', 'minor', 'major'] as const)(
    'makes a %s change of one package a release of all, and of nothing private',
    (type) => {
      for (const name of namesOf(workspaces, false)) {
        const released = planOf(type, name).releases.filter((release) => release.type !== 'none');
        expect(released.map((release) => release.name).sort()).toEqual(namesOf(workspaces, false));
        expect(new Set(released.map((release) => release.type))).toEqual(new Set([type]));
      }
    },
  );
});

describe('the packages of this repository', () => {
  it('require exactly the versions of each other with which they are released', () => {
    const versions = new Map(
      workspaces.packages.map(({ packageJson }) => [packageJson.name, packageJson.version]),
    );
    const others = workspaces.packages.flatMap(({ packageJson }) =>
      Object.entries({ ...packageJson.dependencies, ...packageJson.devDependencies })
        .filter(([name]) => versions.has(name))
        .map(([name, range]) => ({ of: packageJson.name, name, range })),
    );
    expect(others.length).toBeGreaterThan(40);
    expect(others.filter(({ name, range }) => range !== versions.get(name))).toEqual([]);
  });
});

describe('toRelease', () => {
  it('names version, day and packages', () => {
    const plan = planOf('minor', '@detector-cluster/election');
    const { newVersion } = plan.releases[0]!;
    expect(toRelease(plan, '0.0.1', new Date('2026-02-03T23:00:00Z'))).toEqual({
      version: newVersion,
      date: '2026-02-03',
      changes: [{ type: 'minor', packages: ['election'], summary: 'A change.' }],
    });
  });

  it('releases the current version if there are no changesets', () => {
    const plan = { changesets: [], releases: [], preState: undefined };
    expect(toRelease(plan, '0.1.0', new Date(0))).toEqual({
      version: '0.1.0',
      date: '1970-01-01',
      changes: [],
    });
  });
});
