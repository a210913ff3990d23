import { findProgram, ProgramUnavailableError } from '@detector-cluster/dev-services';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readAlertRules } from './alert-rules.js';
import { pathOf } from './repository.js';

/** Timeout that includes the first download. */
const TIMEOUT = 120_000;

const promtool = await findProgram({ name: 'promtool', package: 'prometheus', programsOnly: true }).catch(
  (error: unknown) => {
    if (process.env.CI || !(error instanceof ProgramUnavailableError)) throw error;
    console.warn(`The alerts are not tried out: ${error.message}`);
    return null;
  },
);

(promtool === null ? describe.skip : describe)("Prometheus' own promtool", () => {
  it.each([
    ['check rules alerts.yml', new RegExp(`\\b${readAlertRules().length} rules found`)],
    ['test rules alerts.test.yml', /SUCCESS/],
    ['check config --syntax-only prometheus.yml', /is valid prometheus config/],
  ])(
    '%s',
    (command, success) => {
      const [program, ...args] = [...promtool!, ...command.split(' ')];
      const { status, stdout, stderr } = spawnSync(program!, args, {
        cwd: pathOf('deploy/prometheus'),
        encoding: 'utf8',
        timeout: TIMEOUT,
      });
      expect(stderr).not.toContain('FAILED');
      expect(stdout).toMatch(success);
      expect(status).toBe(0);
    },
    TIMEOUT,
  );
});
