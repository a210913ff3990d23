import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileNames, pathOf, readYaml, readYamlDocuments } from '../support/repository.js';
import type { Manifest, Workload } from './manifest.js';

export const KUBERNETES = 'deploy/kubernetes';

interface Kustomization {
  readonly resources?: readonly string[];
  readonly images?: readonly { readonly name: string }[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly behavior?: 'merge';
    readonly literals: readonly string[];
  }[];
}

/** The result of a folder with a kustomization.yaml, before names get hashes and images get tags. */
export interface Kustomized {
  readonly manifests: readonly Manifest[];
  /** Generated ConfigMaps by name. */
  readonly configMaps: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly images: readonly string[];
  /** Unused files of the folder. */
  readonly unused: readonly string[];
}

export function readKustomization(folder: string): Kustomized {
  const path = join(KUBERNETES, folder);
  const {
    resources = [],
    images = [],
    configMapGenerator = [],
  } = readYaml<Kustomization>(path, 'kustomization.yaml');
  const inherited = resources
    .filter((name) => statSync(pathOf(path, name)).isDirectory())
    .map((name) => readKustomization(join(folder, name)));
  const files = resources.filter((name) => !existsSync(pathOf(path, name, 'kustomization.yaml')));
  const configMaps = new Map(inherited.flatMap((base) => [...base.configMaps]));
  for (const { name, behavior, literals } of configMapGenerator) {
    const own = Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s).slice(0, 2)));
    configMaps.set(name, { ...(behavior === 'merge' && configMaps.get(name)), ...own });
  }
  const known = new Set(['kustomization.yaml', ...files]);
  return {
    manifests: [
      ...inherited.flatMap(({ manifests }) => manifests),
      ...files.flatMap((name) => readYamlDocuments<Manifest>(path, name)),
    ],
    configMaps,
    images: images.map(({ name }) => name),
    unused: fileNames(path).filter((name) => !known.has(name)),
  };
}

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests.filter(
    (manifest): manifest is Workload => 'template' in ((manifest as Workload).spec ?? {}),
  );
}
