import { tempDirectory } from '@detector-cluster/dev-services';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { soakScenario } from '../../tools/chaos/src/soak/soak.scenario.js';
import { ChaosRun } from './support/chaos-run.js';
import { HISTORIES, runWith } from './support/run-with.js';

describe('soak, in short', () => {
  let directory: string;
  let report: string;
  beforeAll(async () => {
    directory = await tempDirectory('soak');
    report = join(directory, 'report.html');
  });
  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
    await rm(HISTORIES, { recursive: true, force: true });
  });

  it('finds nothing that grows while processes are killed, rows change, and pages come and leave', async () => {
    const run = new ChaosRun('soak', '--short', '--report', report);
    try {
      const result = await run.result('soak');
      if (!result.ok) throw new Error(`something grows: ${JSON.stringify(result)}\n${run.log}`);
      expect(result).toMatchObject({ growing: [], report });
      expect(await readFile(report, 'utf8')).toContain('passed');
    } finally {
      await run.end();
    }
  });

  it('fails if backends keep everything', async () => {
    const signal = AbortSignal.timeout(500_000);
    const figures = await runWith('keeps-everything', soakScenario, { hours: 0.02, report, signal });
    const measures = (figures.growing as string[]).map((name) => name.split(' ')[1]);
    expect(figures.ok).toBe(false);
    // A busy machine may leave others open in so short a time.
    expect(measures).toContain('heap');
    expect(await readFile(report, 'utf8')).toContain('grows');
  });
});
