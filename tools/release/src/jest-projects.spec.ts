import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** Paths of the tests that Jest would run, from the root. */
async function testsOf(...projects: string[]): Promise<string[]> {
  const select = projects.length === 0 ? [] : ['--selectProjects', ...projects];
  const { stdout } = await run(process.execPath, ['tools/jest.mjs', '--listTests', '--json', ...select], {
    cwd: root,
    maxBuffer: 2 ** 24,
  });
  return (JSON.parse(stdout.slice(stdout.indexOf('["'))) as string[]).map((path) => path.slice(root.length));
}

describe("the projects of Jest's configuration", () => {
  it('have each test of the repository exactly once', async () => {
    const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '*.spec.ts'], {
      cwd: root,
    });
    const all = stdout.split('\n').filter((path) => path !== '');
    const lists = await Promise.all(
      ['unit', 'models', 'integration', 'e2e', 'chaos'].map((name) => testsOf(name)),
    );
    expect(lists.flat().toSorted()).toEqual(all.toSorted());
  });
});
