import { cp, lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
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

/**
 * The user that runs Postgres, which refuses to run as root. `undefined`: this process is not root and runs it itself.
 * Otherwise an existing user of the machine: `postgres`, or the unprivileged user 65534.
 */
export function postgresUser(
  passwd = () => readFileSync('/etc/passwd', 'utf8'),
): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const rows = passwd()
    .split('\n')
    .map((line) => line.split(':'));
  const row = rows.find(([name]) => name === 'postgres') ?? rows.find(([, , uid]) => uid === '65534');
  return row ? { uid: Number(row[2]), gid: Number(row[3]) } : { uid: 65534, gid: 65534 };
}
