import { findPeopleSample } from '@detector-cluster/local-cluster';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { leftBehindBy } from '../support/left-behind.js';
import { programsOf } from '../support/python-programs.js';

const run = promisify(execFile);
const RUNNER = fileURLToPath(new URL('../../../tools/sample-runner/dist/main.js', import.meta.url));

(programsOf(findPeopleSample(), '008-people-counter') ? describe : describe.skip)(
  '008-people-counter',
  () => {
    it('is played by npm run sample', { timeout: 6 * TIMEOUT }, async () => {
      const { stdout } = await run(process.execPath, [RUNNER, '008', '--smoke'], { timeout: 5 * TIMEOUT });
      const result = JSON.parse(stdout) as Record<string, number>;
      expect(result).toMatchObject({
        ok: true,
        replacedOnWorkers: 2,
        streamsOpenedByFile: 0,
        streamsOpenedByKill: 0,
      });
      expect(result.people).toBeGreaterThan(20);
      expect(result.framesAnalysed).toBeGreaterThan(20);
      expect(result.msPerFrame).toBeGreaterThan(0);
      expect(await leftBehindBy('008')).toEqual([]);
    });
  },
);
