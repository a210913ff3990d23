import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `prisma/migrations` of this repository. */
export const MIGRATIONS_DIRECTORY = join(
  fileURLToPath(new URL('.', import.meta.url)),
  '../../../prisma/migrations',
);
