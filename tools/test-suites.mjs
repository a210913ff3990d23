// `npm run test:suites`: all tests. Integration and end-to-end tests mostly wait. Unit tests and models mostly compute, so they run
// beside the others at the lowest priority, which leaves the processor to tests with real time. Their output follows when they have
// ended. The chaos tests come last, because they need the machine for themselves.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const JEST = fileURLToPath(new URL('jest.mjs', import.meta.url));

function start(projects, stdio) {
  const child = spawn(process.execPath, [JEST, '--selectProjects', ...projects], { stdio });
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve(code === 0))) };
}

/** Resolves with whether all have passed. */
function runBeside(...projects) {
  const { child, ended } = start(projects, ['ignore', 'pipe', 'pipe']);
  setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  return ended.then((passed) => {
    process.stderr.write(Buffer.concat(output));
    return passed;
  });
}

const run = (project) => start([project], 'inherit').ended;

const beside = runBeside('unit', 'models');
let passed = (await run('integration')) && (await run('e2e'));
passed = (await beside) && passed;
passed &&= await run('chaos');
process.exitCode = passed ? 0 : 1;
