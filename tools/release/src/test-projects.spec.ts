import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** Paths of the tests of each project, from the root. */
async function testsOfProjects(): Promise<string[]> {
  const vitest = `${root}node_modules/vitest/vitest.mjs`;
  const { stdout } = await run(process.execPath, [vitest, 'list', '--filesOnly', '--json'], {
    cwd: root,
    maxBuffer: 2 ** 24,
  });
  const tests = JSON.parse(stdout) as { file: string; projectName: string }[];
  const jest = [
    `${root}node_modules/jest/bin/jest.js`,
    '--config',
    'test/nest/jest.config.cjs',
    '--listTests',
  ];
  const { stdout: wiring } = await run(process.execPath, jest, { cwd: root });
  return [...tests.map(({ file }) => file), ...wiring.trim().split('\n')].map((file) =>
    file.slice(root.length),
  );
}

describe('the projects of the test runners', () => {
  it('have each test of the repository exactly once', async () => {
    const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '*.spec.ts'], {
      cwd: root,
    });
    const all = stdout.split('\n').filter((path) => path !== '');
    expect((await testsOfProjects()).toSorted()).toEqual(all.toSorted());
  });
});
