// `npm run test:suites`: all tests; with `--compile`, as in `npm test`, also the build, which takes one processor. Integration and
// end-to-end tests mostly wait. Unit tests and models mostly compute and need no build, so they run beside all of this at a lower
// priority, which leaves the processor to tests with real time. Their output follows when they have ended. The chaos tests come last,
// because they need the machine for themselves.
//
// A test with servers and real time gets a second attempt, as one of thousands fails on an overloaded machine. The end of the output
// lists as FLAKY what needed it: each is a race, in the test or in the product.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

function start(command, args, stdio = 'inherit') {
  const child = spawn(command, args, { stdio });
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve(code === 0))) };
}

const test = (projects, options = [], stdio = 'inherit') =>
  start(
    process.execPath,
    [VITEST, 'run', ...projects.flatMap((name) => ['--project', name]), ...options],
    stdio,
  );

/** Resolves with whether all have passed. */
function runBeside(...projects) {
  const { child, ended } = test(projects, [], ['ignore', 'pipe', 'pipe']);
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  return ended.then((passed) => {
    process.stderr.write(Buffer.concat(output));
    return passed;
  });
}

const RETRY = ['--retry', '1', '--reporter', 'default', '--reporter', './test/support/flaky-tests.mjs'];

const run = (...projects) => test(projects, RETRY).ended;

const beside = runBeside('unit', 'models');
let passed = !process.argv.includes('--compile') || (await start('npm', ['run', 'compile']).ended);
passed &&= await start('npm', ['run', 'test:nest']).ended;
passed &&= (await run('integration')) && (await run('e2e', 'large'));
passed = (await beside) && passed;
passed &&= await run('chaos');
process.exitCode = passed ? 0 : 1;
