import { describe, expect, it } from 'vitest';
import { ALL_CHECKS } from './checks/all-checks.js';
import type { Limits } from './limits.js';
import { type CheckResult, runCheck } from './run-check.js';
import { WorkerUnderTest } from './stage/worker-under-test.js';
import { type Defect, defects, OMISSIONS } from './test-support/defects.js';
import { ModelWorker } from './test-support/model-worker.js';

const TOKEN = 't0ken-of-the-worker';

/** Of worker and checks: the reports of the worker come much more often than the checks ask for. */
const REPORT_INTERVAL = 100;

/** A good worker has much time, so that a busy machine does not fail it. */
const GOOD: Limits = { patience: 60_000, quiet: 300, reportInterval: 20_000, linger: 600 };

/** For what a broken worker does not do, a check waits to the end. */
const BROKEN: Limits = { patience: 8_000, quiet: 600, reportInterval: 800, linger: 6_000 };

/** These defects only show if regular reports do not hide them. */
const RARE_REPORTS: readonly Defect[] = ['no-first-report', 'no-answer', 'unordered', 'waits-for-all'];

/** Only here streams end soon. */
const LONG = 600_000;
const LINGERS = ['streams-dropped', 'streams-kept-in-silence'];

async function results(ids: readonly string[], version: 'v1' | 'v2', limits: Limits, defect?: Defect) {
  const rare = defect !== undefined && RARE_REPORTS.includes(defect);
  const worker = await ModelWorker.start({
    defect,
    reportInterval: rare ? BROKEN.reportInterval : REPORT_INTERVAL,
    linger: ids.some((id) => LINGERS.includes(id)) ? limits.linger / 2 : LONG,
    token: TOKEN,
  });
  const under = await WorkerUnderTest.start(
    {
      url: new URL(worker.url),
      version,
      token: TOKEN,
      modelName: 'tested',
      readLog: () => Promise.resolve(worker.log.join('\n')),
      terminate: () => worker.terminate(),
    },
    limits,
  );
  try {
    const results: CheckResult[] = [];
    for (const check of ALL_CHECKS) if (ids.includes(check.id)) results.push(await runCheck(under, check));
    return results;
  } finally {
    under.stop();
    worker.stop();
  }
}

/** Workers that share the checks. */
const PARTS = 6;

const allIds = ALL_CHECKS.map(({ id }) => id);

describe.concurrent('conformance checks', { timeout: 300_000 }, () => {
  it.each(['v1', 'v2'] as const)('pass a worker that keeps all rules, with %s', async (version) => {
    const sharedBy = allIds.filter((id) => !LINGERS.includes(id));
    const parts = Array.from({ length: PARTS }, (_, part) => sharedBy.filter((_id, i) => i % PARTS === part));
    const runs = await Promise.all(
      [...parts, ...LINGERS.map((id) => [id])].map((ids) => results(ids, version, GOOD)),
    );
    const other = version === 'v1' ? 'v2' : 'v1';
    const wrong = runs
      .flat()
      .filter(({ check, outcome }) => outcome !== (check.needs?.includes(other) ? 'skipped' : 'passed'))
      .map(({ check, outcome, reason }) => `${check.id} ${outcome}: ${reason}`);
    expect(wrong).toEqual([]);
  });

  it('each find a broken worker', async () => {
    const found = await Promise.all(
      defects.map(async ([defect, { check, says, version = 'v1' }]) => {
        const [result] = await results([check], version, BROKEN, defect);
        const caught = result?.outcome === 'failed' && says.test(result.reason!);
        return caught ? [] : [`${defect}: ${check} ${result?.outcome} ${result?.reason ?? ''}`];
      }),
    );
    expect(found.flat()).toEqual([]);
  });

  it('skip what a worker may leave out, and say why', async () => {
    const found = await Promise.all(
      Object.entries(OMISSIONS).map(async ([omission, id]) => {
        const [result] = await results([id], 'v1', BROKEN, omission as Defect);
        return [id, result?.outcome, result?.reason?.startsWith('the worker ')];
      }),
    );
    expect(found).toEqual(Object.values(OMISSIONS).map((id) => [id, 'skipped', true]));
  });

  it('have a broken worker each', () => {
    const caught = new Set(defects.map(([, { check }]) => check));
    expect(allIds.filter((id) => !caught.has(id))).toEqual([]);
    expect(new Set(allIds).size).toBe(allIds.length);
  });
});
