import { SeededRandom } from '@detector-cluster/local-cluster';
import { Logger } from '@nestjs/common';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figures, Scenario, ScenarioContext } from '../../../tools/chaos/src/scenario.js';
import { Histories } from '../../../tools/chaos/src/support/histories.js';

Logger.overrideLogger(false);

/** Folder for the histories of {@link runWith}, to be removed at the end. */
export const HISTORIES = join(tmpdir(), `histories-${process.pid}`);

/** Runs a scenario in short, with backends that break the promise that it checks. */
export async function runWith(
  backend: string,
  scenario: Scenario,
  options: Partial<ScenarioContext> = {},
): Promise<Figures> {
  const log: string[] = [];
  const figures = await scenario({
    short: true,
    random: new SeededRandom(1),
    signal: AbortSignal.timeout(840_000),
    vanishMs: 40_000,
    hours: 0.05,
    report: 'soak.html',
    from: undefined,
    histories: new Histories(HISTORIES, backend, 1),
    redisUrl: process.env.REDIS_URL,
    databaseUrl: process.env.DATABASE_URL,
    backendScript: `test/chaos/broken-backends/${backend}.mjs`,
    progress: (message) => void log.push(message),
    ...options,
  });
  if (figures.ok) console.error(`${JSON.stringify(figures)}\n${log.join('\n')}`);
  return figures;
}
