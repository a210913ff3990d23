import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { createWorkerApp } from './create-worker-app.js';
import { StderrLogger } from './logging/stderr-logger.js';
import { readEnvironment } from './options/read-environment.js';

function fail(...lines: readonly string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
}

const environment = readEnvironment(process.env);
if (!environment.ok) fail('invalid configuration:', ...environment.problems.map((problem) => `  ${problem}`));

const { address, options } = environment;
const app = await createWorkerApp(options, new StderrLogger({ prefix: options.workerName }));
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
try {
  await app.listen(address.port, address.host);
} catch (error) {
  fail(`cannot listen on ${address.host}:${address.port}: ${(error as Error).message}`);
}
const { port } = app.getHttpServer().address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ listening: port })}\n`);
