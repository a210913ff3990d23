import { type Check, CheckSkippedError, NEEDS } from './check.js';
import type { WorkerUnderTest } from './stage/worker-under-test.js';

export interface CheckResult {
  readonly check: Check;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why not passed. */
  readonly reason?: string;
  readonly milliseconds: number;
}

/** Runs one check. Only one at a time, because each takes the worker over. */
export async function runCheck(worker: WorkerUnderTest, check: Check): Promise<CheckResult> {
  const begun = performance.now();
  const result = (outcome: CheckResult['outcome'], reason?: string): CheckResult => ({
    check,
    outcome,
    ...(reason !== undefined && { reason }),
    milliseconds: Math.round(performance.now() - begun),
  });
  const has = {
    v1: worker.options.version === 'v1',
    v2: worker.options.version === 'v2',
    token: worker.options.token !== undefined,
    log: worker.options.readLog !== undefined,
    pid: worker.options.terminate !== undefined,
  };
  const missing = check.needs?.find((need) => !has[need]);
  if (missing !== undefined) return result('skipped', NEEDS[missing]);
  try {
    await ('run' in check ? check.run(worker) : check.play(await worker.takeOver(), worker));
    return result('passed');
  } catch (error) {
    const { message } = error as Error;
    return result(error instanceof CheckSkippedError ? 'skipped' : 'failed', message);
  } finally {
    worker.cleanUp();
  }
}
