import { readFileSync } from 'node:fs';

/** The lock file: packages by their path. */
export const { packages } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);

/** Packages whose package.json does not say what their licence file says: an MIT licence. */
export const MIT_BY_FILE = ['@sesamecare-oss/redlock', 'busboy', 'seq-queue', 'spawndamnit', 'streamsearch'];

/** The path of a dependency, resolved like Node; undefined for an optional one that is not installed. */
function resolve(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return packages[path].link ? packages[path].resolved : path;
    if (folder === '') return undefined;
  }
}

/** The dependencies of the packages below some folders, without development dependencies. */
export function shipped(folders) {
  const found = new Set(
    Object.keys(packages).filter((path) => folders.some((folder) => path.startsWith(folder))),
  );
  for (const path of found) {
    const {
      dependencies,
      optionalDependencies,
      peerDependencies = {},
      peerDependenciesMeta,
    } = packages[path];
    const peers = Object.keys(peerDependencies).filter(
      (name) => peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const dependency = resolve(path, name);
      if (dependency !== undefined) found.add(dependency);
    }
  }
  return found;
}
