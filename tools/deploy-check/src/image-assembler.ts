import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cp, mkdir, readdir, rename } from 'node:fs/promises';
import { promisify } from 'node:util';
import { pathOf, readText } from './repository.js';
import type { BuildStage, CopyStep } from './dockerfile.js';

/** Copies the files that `COPY . .` would copy: those that git tracks or could add, except those in .dockerignore. */
function copyContext(target: string): void {
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

/** Timeout of one command. Milliseconds. */
const LIMIT = 240_000;

/** Does in folders what `docker build` does in images, except steps that this repository has already built. */
export class ImageAssembler {
  constructor(
    private readonly stages: readonly BuildStage[],
    /** An empty folder. The stages become folders in it. */
    private readonly folder: string,
  ) {}

  /** The folder that represents `/app` in a stage. */
  folderOf(stage: string): string {
    return join(this.folder, stage);
  }

  /** The first stage: the context, and the results of the build in place of the build. */
  async build(): Promise<void> {
    const target = this.folderOf('build');
    copyContext(target);
    for (const parent of ['libs', 'apps', 'tools'])
      for (const name of await readdir(pathOf(parent))) {
        const built = pathOf(parent, name, 'dist');
        if (existsSync(built) && existsSync(join(target, parent, name)))
          await cp(built, join(target, parent, name, 'dist'), { recursive: true });
      }
  }

  /** Builds a stage on top of another one: takes its files and runs the stage's own steps. */
  async stage(name: string): Promise<string> {
    const { base, steps } = this.stages.find((stage) => stage.name === name)!;
    const target = this.folderOf(name);
    if (existsSync(this.folderOf(base))) await cp(this.folderOf(base), target, { recursive: true });
    else await mkdir(target);
    for (const step of steps)
      if (step.kind === 'copy') await this.copy(step, target);
      else await promisify(execFile)('sh', ['-c', step.command], { cwd: target, timeout: LIMIT });
    return target;
  }

  private async copy({ from, source, target }: CopyStep, folder: string): Promise<void> {
    const name = source.replace(/^\/app\//, '');
    const place = target === './' ? join(folder, name) : join(folder, target);
    // Moved, which is a hundred times faster than a copy: no other stage uses the same files.
    await rename(join(this.folderOf(from!), name), place);
  }
}
