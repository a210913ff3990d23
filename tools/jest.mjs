// Runs Jest with the flag that ESM needs, because an npm script cannot set it on every platform.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const PROJECTS = ['unit', 'integration', 'e2e', 'chaos'];
const SELECT = '--selectProjects';

/** Jest reads all arguments after `--selectProjects` as names. With a path among them it would run everything. */
function selectLast(args) {
  const start = args.indexOf(SELECT);
  const rest = args.slice(start + 1);
  const end = rest.findIndex((arg) => !PROJECTS.includes(arg));
  if (start === -1 || end <= 0) return args;
  return [...args.slice(0, start), ...rest.slice(end), SELECT, ...rest.slice(0, end)];
}

/**
 * `npm run test:watch -- <path>`: runs one project, that of integration tests if the path names one. Jest's own `--watch` reads
 * only files that differ from the last commit, so a path needs `--watchAll`.
 */
function watchOne(args) {
  if (!args.includes('--watch') || args.includes(SELECT)) return args;
  const paths = args.filter((arg) => !arg.startsWith('-'));
  const project = paths.some((path) => path.includes('.int')) ? 'integration' : 'unit';
  const rest = paths.length === 0 ? args : args.map((arg) => (arg === '--watch' ? '--watchAll' : arg));
  return [...rest, SELECT, project];
}

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
// Workers get this flag as well, because Jest starts them with the flags of its own process.
const exitEarly = `--import=${new URL('jest-worker-exit.mjs', import.meta.url).href}`;
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    exitEarly,
    jest,
    ...selectLast(watchOne(process.argv.slice(2))),
  ],
  {
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
