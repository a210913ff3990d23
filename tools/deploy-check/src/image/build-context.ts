import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathOf, readText } from '../support/repository.js';

/** Copies the files that `COPY . .` would copy: those that git tracks or could add, except those in .dockerignore. */
export function copyContext(target: string): void {
  const ignored = readText('.dockerignore')
    .split('\n')
    .filter((line) => line !== '')
    .map(pattern);
  const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: pathOf(),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const name of names.split('\0').filter((path) => path !== '' && existsSync(pathOf(path)))) {
    if (ignored.some((each) => each.test(name))) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    cpSync(pathOf(name), join(target, name));
  }
}

/** A line of .dockerignore: `**` for any number of folders, `*` for part of a name. */
function pattern(line: string): RegExp {
  const source = line
    .split('/')
    .map((part) => part.replaceAll('.', '\\.').replaceAll(/(?<!\*)\*(?!\*)/g, '[^/]*'))
    .join('/')
    .replace(/^\*\*\//, '(?:.*/)?');
  return new RegExp(`^${source}(?:/|$)`);
}
