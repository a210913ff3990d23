import { chown, mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Makes a private directory (mode 0700) for one server, owned by `user` if given. TMPDIR may point into a home that
 * another user cannot enter; then the system's own temporary folder is used.
 */
export async function tempDirectory(name: string, user?: { uid: number; gid: number }): Promise<string> {
  const base = user && !(await othersCanEnter(tmpdir(), 0o003)) ? '/tmp' : tmpdir();
  // Names of packages have a slash.
  const directory = await mkdtemp(join(base, `detector-cluster-${name.replaceAll('/', '-')}-`));
  if (user) await chown(directory, user.uid, user.gid);
  return directory;
}

/** Whether any user may reach `path`: search permission on every parent folder, and `bits` on the path itself. */
export async function othersCanEnter(path: string, bits = 0o005): Promise<boolean> {
  if (((await stat(path)).mode & bits) !== bits) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
