import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryFiles } from './repository-files.js';
import { NameCollector, type SourceNames } from './name-collector.js';

const SKIPPED = /\/(fixtures|test-support)\/|\.(spec|fixture|d)\.ts$/;

/** @param folders from the root of the repository */
export async function readSourceNames(root: string, folders: readonly string[]): Promise<SourceNames> {
  const names = new NameCollector();
  const patterns = folders.flatMap((folder) => [`${folder}/*.ts`, `${folder}/*.tsx`]);
  for (const path of repositoryFiles(root, ...patterns))
    if (!SKIPPED.test(path)) names.add(path, await readFile(join(root, path), 'utf8'));
  return names.result();
}
