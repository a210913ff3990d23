import { cp, lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { othersCanEnter } from '../support/temp-directory.js';

/**
 * Folder from which `user` can run the programs in `native`: `native` itself, or a copy in `directory` if a parent folder is
 * closed to others, like root's home. The user owns the copy and removes it with the server.
 */
export async function enterablePrograms(
  native: string,
  directory: string,
  user: { uid: number; gid: number } | undefined,
): Promise<string> {
  if (!user || (await othersCanEnter(native))) return native;
  const copy = join(directory, 'programs');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  const entries = await readdir(copy, { recursive: true });
  for (const entry of ['', ...entries]) await lchown(join(copy, entry), user.uid, user.gid);
  return copy;
}
