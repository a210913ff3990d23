import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readdir, readFile } from 'node:fs/promises';

/** `prisma/migrations` of this repository. */
export const MIGRATIONS_DIRECTORY = join(
  fileURLToPath(new URL('.', import.meta.url)),
  '../../../prisma/migrations',
);

/** One folder of Prisma's migrations. */
export interface Migration {
  /** `20251120120000_init` */
  name: string;
  sql: string;
}

/**
 * Reads `<directory>/<name>/migration.sql`, in the order of names, which is Prisma's.
 * @throws Error naming a folder without a script.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const folders = (await readdir(directory, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return Promise.all(
    folders.map(async (name) => ({
      name,
      sql: await readFile(join(directory, name, 'migration.sql'), 'utf8').catch((error: unknown) => {
        throw new Error(`migration ${name} has no readable migration.sql in ${directory}`, { cause: error });
      }),
    })),
  );
}
