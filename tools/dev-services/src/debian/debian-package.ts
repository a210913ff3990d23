import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { withMachineLock } from '../support/machine-lock.js';
import { runCommand } from '../support/run-command.js';
import type { DebianHost } from './debian-host.js';
import { downloadPackages } from './download-packages.js';

/** Folder of downloads: `node_modules/.cache/detector-cluster` of the workspace, so that `npm ci` clears it. */
function cacheDirectory(): string {
  let root = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(root, 'package-lock.json')) && root !== dirname(root)) root = dirname(root);
  if (root === dirname(root)) root = process.cwd();
  return join(root, 'node_modules', '.cache', 'detector-cluster');
}

/** A package, and the release of the distribution that contains it. */
export interface DebianPackageRequest {
  name: string;
  suite: string;
  /** Omits `/usr/share`: for programs that do not need its data, which may be many times their size. */
  programsOnly?: boolean | undefined;
  /** Called once, before a download. */
  notify?: ((message: string) => void) | undefined;
  /** Default: the workspace's cache. */
  cache?: string | undefined;
}

/**
 * Root folder of a package, unpacked with all its dependencies, from the cache or downloaded now. Concurrent callers download
 * once. A folder in the cache is always complete, because it gets its name last.
 */
export async function debianPackage(host: DebianHost, request: DebianPackageRequest): Promise<string> {
  const cache = request.cache ?? cacheDirectory();
  const root = join(cache, `${request.name}-${request.suite}-${host.architecture}`);
  if (existsSync(root)) return root;
  await mkdir(cache, { recursive: true });
  return withMachineLock(root, async () => {
    if (existsSync(root)) return root;
    await removeLeftovers(cache, `${basename(root)}.tmp-`);
    request.notify?.(`downloading ${request.name} of ${request.suite} into ${cache}`);
    const work = await mkdtemp(`${root}.tmp-`);
    try {
      const archives = await downloadPackages(host, request.name, request.suite, work);
      const unpacked = join(work, 'root');
      await mkdir(unpacked);
      // One after another, because packages may contain the same folders.
      for (const archive of archives) await runCommand('dpkg-deb', ['-x', archive, unpacked]);
      if (request.programsOnly) await rm(join(unpacked, 'usr/share'), { recursive: true, force: true });
      await publish(unpacked, root);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    return root;
  });
}

/** Removes the files of a killed run. Call it only under the lock, so that no other process uses them. */
async function removeLeftovers(cache: string, prefix: string): Promise<void> {
  for (const name of await readdir(cache))
    if (name.startsWith(prefix)) await rm(join(cache, name), { recursive: true, force: true });
}

/** Containers that share this folder do not share the lock. Then the first one wins, and the result is the same. */
async function publish(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/**
 * Command line that runs a program of an unpacked package with the C library and the libraries unpacked beside it instead of
 * the machine's.
 */
export function unpackedCommand(root: string, program: string): string[] {
  const folders = ['usr/lib', 'lib']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /-linux-gnu\w*$/.test(name))
        .map((name) => join(folder, name)),
    );
  const loader = folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .find((file) => /\/ld-linux[^/]*\.so[^/]*$/.test(file));
  if (!loader) throw new Error(`no loader for programs in ${root}`);
  return [loader, '--library-path', folders.join(':'), join(root, program)];
}
