// Runs Jest with the flag that ESM needs, because an npm script cannot set it on every platform.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/** Projects, with the number of worker processes on two processors. Tests with servers mostly wait. */
const WORKERS = { unit: 2, models: 2, integration: 5, e2e: 4, chaos: 3 };
const PROJECTS = Object.keys(WORKERS);
/** Projects that only compute. Their time limit finds hangs only, because they may run at a lower priority. */
const COMPUTING = ['unit', 'models'];
const COMPUTING_TIMEOUT = 300_000;
const SELECT = '--selectProjects';

/** Jest reads all arguments after `--selectProjects` as names. With a path among them it would run everything. */
function selectLast(args) {
  const start = args.indexOf(SELECT);
  const rest = args.slice(start + 1);
  const end = rest.findIndex((arg) => !PROJECTS.includes(arg));
  if (start === -1 || end <= 0) return args;
  return [...args.slice(0, start), ...rest.slice(end), SELECT, ...rest.slice(0, end)];
}

/** Adds the number of workers and the time limit for the selected projects, unless they are given. */
function withDefaults(args) {
  const selected = PROJECTS.filter((project) => args.includes(project));
  if (!args.includes(SELECT)) return args;
  const isGiven = (option) => args.some((arg) => option.test(arg));
  const defaults = [];
  if (!isGiven(/^(?:--maxWorkers|-w|--runInBand|-i)\b/))
    defaults.push('--maxWorkers', String(Math.min(...selected.map((project) => WORKERS[project]))));
  if (!isGiven(/^--testTimeout\b/) && selected.every((project) => COMPUTING.includes(project)))
    defaults.push('--testTimeout', String(COMPUTING_TIMEOUT));
  return [...defaults, ...args];
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
    ...withDefaults(selectLast(watchOne(process.argv.slice(2)))),
  ],
  {
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
