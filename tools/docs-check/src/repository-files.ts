import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Paths of the files that Git tracks or could add, from the root of the repository.
 * @param patterns as for `git ls-files`
 */
export function repositoryFiles(root: string, ...patterns: readonly string[]): string[] {
  const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', ...patterns], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  // A file may be deleted in the work tree only.
  return names.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}
