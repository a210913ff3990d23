import type { findPythonSample, PythonPrograms } from '@detector-cluster/local-cluster';
import { it } from 'vitest';

/**
 * The programs of a sample with a worker in Python. They may be missing on a developer's machine, but not where changes are accepted:
 * there, a test of this file fails.
 */
export function programsOf(
  result: ReturnType<typeof findPythonSample>,
  sample: string,
): PythonPrograms | undefined {
  if ('found' in result) return result.found;
  const { missing } = result;
  const skipOrFail = process.env.CI ? it : it.skip;
  // The test runner reports a skipped file without a reason.
  process.stderr.write(`Tests of samples/${sample} are skipped: ${missing}\n`);
  skipOrFail(`the programs of the sample are there: ${missing}`, () => {
    throw new Error(missing);
  });
  return undefined;
}
