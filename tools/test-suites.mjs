// `npm run test:suites`: all tests; with `--compile`, as in `npm test`, also the build, which takes one processor. Integration and
// end-to-end tests mostly wait. Unit tests and models mostly compute and need no build, so they run beside all of this at a lower
// priority, which leaves the processor to tests with real time. Their output follows when they have ended. The chaos tests come last,
// because they need the machine for themselves.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

function start(command, args, stdio = 'inherit') {
  const child = spawn(command, args, { stdio });
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve(code === 0))) };
}

const test = (projects, stdio) =>
  start(process.execPath, [VITEST, 'run', ...projects.flatMap((name) => ['--project', name])], stdio);

/** Resolves with whether all have passed. */
function runBeside(...projects) {
  const { child, ended } = test(projects, ['ignore', 'pipe', 'pipe']);
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  return ended.then((passed) => {
    process.stderr.write(Buffer.concat(output));
    return passed;
  });
}

const run = (...projects) => test(projects).ended;

const beside = runBeside('unit', 'models');
let passed = !process.argv.includes('--compile') || (await start('npm', ['run', 'compile']).ended);
passed &&= await start('npm', ['run', 'test:nest']).ended;
passed &&= (await run('integration')) && (await run('e2e', 'large'));
passed = (await beside) && passed;
passed &&= await run('chaos');
process.exitCode = passed ? 0 : 1;
