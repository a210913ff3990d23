import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Absolute path of the first executable of that name in PATH, or `null`. */
export function findOnPath(name: string, path = process.env.PATH ?? ''): string | null {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}
