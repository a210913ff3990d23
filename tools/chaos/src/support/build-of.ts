import { runCommand } from '@detector-cluster/dev-services';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JOURNALLED_BACKEND } from './chaos-stage.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The links from packages of the repository to each other are in this folder of `node_modules`. */
const SCOPE = '@detector-cluster';

/** Writes the history. Its format is that of the present tools. */
const PROGRAM = 'tools/chaos/dist/delivery/journalled-backend.child.js';

/** Milliseconds. */
const BUILD_TIMEOUT = 900_000;

/**
 * The script of the journalled backend with the product as it was at a commit. Builds the commit in the directory for temporary files, where the build stays
 * for the next run.
 * @param ref anything that git resolves to a commit
 */
export async function buildOf(ref: string, progress: (message: string) => void): Promise<string> {
  const commit = (
    await runCommand('git', ['rev-parse', '--verify', `${ref}^{commit}`], { cwd: root })
  ).trim();
  const directory = join(tmpdir(), 'detector-cluster-builds', commit);
  const done = join(directory, '.built');
  if (!existsSync(done)) {
    progress(`building ${ref} in ${directory}`);
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    await runCommand('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, directory], {
      cwd: root,
    });
    await install(directory, progress);
    await runCommand('npm', ['run', 'build'], { cwd: directory, timeout: BUILD_TIMEOUT });
    await copyFile(join(root, PROGRAM), join(directory, PROGRAM));
    await runCommand('node', ['tools/bundle.mjs'], { cwd: directory });
    await writeFile(done, '');
  }
  return join(directory, JOURNALLED_BACKEND);
}

const lock = (folder: string) => readFile(join(folder, 'package-lock.json'), 'utf8');

async function install(directory: string, progress: (message: string) => void): Promise<void> {
  if ((await lock(directory)) === (await lock(root))) return linkPackages(directory);
  progress('its dependencies are others, and are installed');
  await runCommand('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory, timeout: BUILD_TIMEOUT });
}

/** Links the installed packages, and those of this repository as they are in the directory. */
async function linkPackages(directory: string): Promise<void> {
  const modules = join(directory, 'node_modules');
  await mkdir(join(modules, SCOPE), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== SCOPE && name !== '.cache')
      await symlink(join(root, 'node_modules', name), join(modules, name));
  // Relative links, which lead to the packages of the directory.
  for (const name of await readdir(join(root, 'node_modules', SCOPE)))
    await symlink(await readlink(join(root, 'node_modules', SCOPE, name)), join(modules, SCOPE, name));
  for (const group of ['apps', 'libs', 'samples', 'tools'])
    for (const name of await readdir(join(root, group))) {
      const nested = join(group, name, 'node_modules');
      if (existsSync(join(root, nested)) && existsSync(dirname(join(directory, nested))))
        await symlink(join(root, nested), join(directory, nested));
    }
}
