import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileNames, pathOf, readYaml, readYamlDocuments } from './repository.js';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';

const KUBERNETES = 'deploy/kubernetes';

/** A type of the Kubernetes API with all that it calls optional. A test that reads what a manifest does not have fails. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]-?: Given<NonNullable<T[Key]>> }
    : T;

/** Any object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

/** A Deployment, a StatefulSet or a Job. Only a StatefulSet has all of these fields. */
export type Workload = Manifest & Pick<Given<IStatefulSet>, 'spec'>;

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
