// `npm run test:suites`: all tests. The models only compute and know no time but their own, and the integration and end-to-end tests
// mostly wait. So the models run beside the others at the lowest priority, which leaves the processor to tests with real time. Their
// output follows when they have ended. The chaos tests come last, because they need the machine for themselves.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const JEST = fileURLToPath(new URL('jest.mjs', import.meta.url));

function start(project, stdio) {
  const child = spawn(process.execPath, [JEST, '--selectProjects', project], { stdio });
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve(code === 0))) };
}

function startModels() {
  const { child, ended } = start('models', ['ignore', 'pipe', 'pipe']);
  setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  return ended.then((passed) => {
    process.stderr.write(Buffer.concat(output));
    return passed;
  });
}

const run = (project) => start(project, 'inherit').ended;

const models = startModels();
let passed = (await run('unit')) && (await run('integration')) && (await run('e2e'));
passed = (await models) && passed;
passed &&= await run('chaos');
process.exitCode = passed ? 0 : 1;
