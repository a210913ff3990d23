import { readFile } from 'node:fs/promises';
import { ALL_CHECKS } from './checks/all-checks.js';
import { LIMITS, type Limits } from './limits.js';
import { runCheck } from './run-check.js';
import { WorkerUnderTest } from './stage/worker-under-test.js';
import { linkOf, toJson, toTap } from './format-result.js';
import { type Arguments, parseArguments, USAGE } from './parse-arguments.js';
import { UsageError } from './usage.error.js';

export interface Output {
  out(line: string): void;
  err(line: string): void;
}

/** Runs the program. Returns its exit code. */
export async function runCli(
  args: readonly string[],
  output: Output,
  limits: Limits = LIMITS,
): Promise<0 | 1 | 2> {
  try {
    const given = parseArguments(args);
    if (given === 'help') output.out(USAGE.trimEnd());
    else if (given === 'list')
      for (const check of ALL_CHECKS) output.out(`${check.id}\t${check.rule}\t${linkOf(check)}`);
    else return (await tryWorker(given, output, limits)) ? 0 : 1;
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.err(`worker-conformance: ${error.message}\n\n${USAGE}`);
    return 2;
  }
}

async function tryWorker(given: Arguments, { out, err }: Output, limits: Limits): Promise<boolean> {
  const { checks, json, log, modelFile, pid, ...options } = given;
  const worker = await WorkerUnderTest.start(
    {
      ...options,
      modelFile: modelFile === undefined ? undefined : await read('--model-file', modelFile),
      readLog: log === undefined ? undefined : async () => (await read('--log', log)).toString(),
      terminate: pid === undefined ? undefined : () => void process.kill(pid, 'SIGTERM'),
    },
    limits,
  );
  try {
    if (log !== undefined) await read('--log', log);
    const { failure, isOpen, refused } = await worker.dial();
    if (!isOpen && refused === undefined) {
      (json ? err : out)(`Bail out! The worker at ${given.url.host} cannot be reached: ${failure}`);
      return false;
    }
    worker.cleanUp();
    if (!json) out(`TAP version 14\n1..${checks.length}`);
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const check of checks) {
      const result = await runCheck(worker, check);
      counts[result.outcome]++;
      out(json ? toJson(result) : toTap(result, counts.passed + counts.failed + counts.skipped));
    }
    err(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    return counts.failed === 0;
  } finally {
    worker.stop();
  }
}

async function read(option: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`${option}: ${(error as Error).message}`);
  }
}
