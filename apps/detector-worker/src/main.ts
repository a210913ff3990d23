import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { ConsoleLogger } from '@nestjs/common';
import { createWorkerApp } from './create-worker-app.js';
import { readEnvironment } from './read-environment.js';

/** Control characters, and those that reorder or break lines of text: a master could send them in its name. */
const CONTROLS = /[\p{Cc}\p{Bidi_C}\u2028\u2029\ufeff]/gu;

/** Nest's console logger on standard error: standard output belongs to the one line that a launcher reads. */
class StderrLogger extends ConsoleLogger {
  protected override printMessages(...args: Parameters<ConsoleLogger['printMessages']>): void {
    args[0] = args[0].map((message) => (typeof message === 'string' ? escaped(message) : message));
    args[3] = 'stderr';
    super.printMessages(...args);
  }
}

const escaped = (text: string): string =>
  text.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

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
