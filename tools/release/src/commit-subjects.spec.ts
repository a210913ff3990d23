import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const tool = fileURLToPath(new URL('../../commit-subjects.mjs', import.meta.url));
const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GITHUB_BASE_REF: _ref, ...rest } = process.env;
const env = {
  ...rest,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

function git(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
}

function commit(cwd: string, subject: string): void {
  git(cwd, 'commit', '--quiet', '--allow-empty', '--message', subject);
}

function lint(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

describe('npm run lint:commits', () => {
  let folder: string;
  let origin: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'commit-subjects-'));
    origin = join(folder, 'origin');
    git(folder, 'init', '--quiet', '--initial-branch', 'main', origin);
    commit(origin, 'an old subject that breaks every rule.');
    commit(origin, 'feat: add the first thing');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A clone with a branch that adds commits with these subjects. */
  function branch(subjects: readonly string[], ...options: string[]): string {
    const clone = mkdtempSync(join(folder, 'clone-'));
    git(folder, 'clone', '--quiet', ...options, pathToFileURL(origin).href, clone);
    git(clone, 'switch', '--quiet', '--create', 'topic');
    for (const subject of subjects) commit(clone, subject);
    return clone;
  }

  it('reads only the commits that the branch adds', () => {
    const { status, output } = lint(branch(['fix(election): keep the lease', 'refactor!: drop a name']));
    expect(output).toContain('2 commits since origin/HEAD');
    expect(status).toBe(0);
  });

  it.each([
    ['fix the lease', 'write "type(scope): description"'],
    ['feature: add a name', 'write "type(scope): description"'],
    ['fix(Election): keep the lease', 'write "type(scope): description"'],
    [`fix: ${'x'.repeat(68)}`, '73 characters: at most 72'],
    ['fix: keep the lease.', 'no full stop at the end'],
    ['fix: the lease is kept', 'begin the description with a verb'],
  ])('refuses the subject "%s"', (subject, problem) => {
    const { status, output } = lint(branch(['docs: describe the lease', subject]));
    expect(output).toContain(`"${subject}": ${problem}`);
    expect(output).not.toContain('describe the lease');
    expect(status).toBe(1);
  });

  it('accepts 72 characters, and leaves out merges', () => {
    const clone = branch([`fix: ${'x'.repeat(67)}`]);
    git(clone, 'switch', '--quiet', '--create', 'other', 'origin/main');
    commit(clone, 'test: cover the lease');
    git(clone, 'merge', '--quiet', '--no-ff', '--message', 'Merge branch topic into other', 'topic');
    expect(lint(clone)).toEqual({ status: 0, output: expect.stringContaining('2 commits since') });
  });

  it('takes another base as its argument, and refuses one that does not exist', () => {
    const clone = branch(['docs: describe the lease']);
    expect(lint(clone, 'HEAD~2')).toMatchObject({
      status: 0,
      output: expect.stringContaining('2 commits since HEAD~2'),
    });
    expect(lint(clone, 'origin/none').status).toBe(1);
  });

  it('checks the added commits of a shallow clone', () => {
    const { status, output } = lint(branch(['the lease'], '--depth', '1'));
    expect(output).toContain('"the lease"');
    expect(status).toBe(1);
  });

  it('says so where a shallow clone does not show the base', () => {
    git(origin, 'switch', '--quiet', '--create', 'alone');
    commit(origin, 'a subject of another branch');
    git(origin, 'switch', '--quiet', 'main');
    const clone = mkdtempSync(join(folder, 'clone-'));
    git(folder, 'clone', '--quiet', '--depth', '1', '--branch', 'alone', pathToFileURL(origin).href, clone);
    expect(lint(clone)).toEqual({ status: 0, output: expect.stringContaining('not checked') });
  });
});
