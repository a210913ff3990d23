// Runs Jest with the flag that ESM needs, because an npm script cannot set it on every platform.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/** Projects, with the number of worker processes on two processors. Tests with servers mostly wait. */
const WORKERS = { unit: 2, models: 2, integration: 5, e2e: 4, chaos: 3 };
const PROJECTS = Object.keys(WORKERS);
const SELECT = '--selectProjects';

/** Jest reads all arguments after `--selectProjects` as names. With a path among them it would run everything. */
function selectLast(args) {
  const start = args.indexOf(SELECT);
  const rest = args.slice(start + 1);
  const end = rest.findIndex((arg) => !PROJECTS.includes(arg));
  if (start === -1 || end <= 0) return args;
  return [...args.slice(0, start), ...rest.slice(end), SELECT, ...rest.slice(0, end)];
}

/** Adds the number of workers for the selected projects, unless one is given. */
function withWorkers(args) {
  const selected = PROJECTS.filter((project) => args.includes(project));
  const given = args.some((arg) => /^(?:--maxWorkers|-w|--runInBand|-i)\b/.test(arg));
  if (given || !args.includes(SELECT)) return args;
  const workers = Math.min(...selected.map((project) => WORKERS[project]));
  return ['--maxWorkers', String(workers), ...args];
}

/**
 * `npm run test:watch -- <path>`: runs one project, that of integration tests or of models if the path names one. Jest's own `--watch` reads
 * only files that differ from the last commit, so a path needs `--watchAll`.
 */
function watchOne(args) {
  if (!args.includes('--watch') || args.includes(SELECT)) return args;
  const paths = args.filter((arg) => !arg.startsWith('-'));
  const named = (part) => paths.some((path) => path.includes(part));
  const project = named('.int') ? 'integration' : named('.model') ? 'models' : 'unit';
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
    ...withWorkers(selectLast(watchOne(process.argv.slice(2)))),
  ],
  {
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
