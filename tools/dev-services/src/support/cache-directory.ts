import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of downloads: `node_modules/.cache/detector-cluster` of the workspace, so that `npm ci` clears it. */
export function cacheDirectory(): string {
  let root = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(root, 'package-lock.json')) && root !== dirname(root)) root = dirname(root);
  if (root === dirname(root)) root = process.cwd();
  return join(root, 'node_modules', '.cache', 'detector-cluster');
}
