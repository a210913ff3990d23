import type { Figures } from './scenario.js';

/** Runs a scenario with one seed. It does not reject: a run that could not measure is not `ok` and has an `error`. */
export type SeededRun = (seed: number) => Promise<Figures>;

/** Durations, shares, rates, settings and extremes: their sum means nothing. */
const NOT_A_COUNT = /(Ms|Share|Interval|[pP]erSecond)$|^max/;
/** Higher is better. */
const RATE = /[pP]erSecond$/;

/**
 * Runs a scenario with the seeds `first`, `first` + 1, … one after the other, and stops early if `signal` aborts.
 *
 * The figures of all runs become one object:
 * - `ok`: whether every promise held with every seed
 * - `seeds`: the first seed, and how many runs there were
 * - `failedSeeds`: the seeds of the runs that were not `ok`; `errors`: the messages of those that could not measure, by seed
 * - `worst`: the highest value of each numeric figure; for a rate (its name ends in `PerSecond`) the lowest
 * - `total`: the sum of each whole-number figure whose name does not mark it as a duration, share, rate or maximum
 */
export async function runSeeds(
  run: SeededRun,
  first: number,
  count: number,
  signal: AbortSignal,
): Promise<Figures> {
  const results: { readonly seed: number; readonly figures: Figures }[] = [];
  for (let seed = first; seed < first + count && !signal.aborted; seed++)
    results.push({ seed, figures: await run(seed) });
  const failed = results.filter(({ figures }) => !figures.ok);
  const errors = failed.flatMap(({ seed, figures: { error } }) =>
    error === undefined ? [] : [[String(seed), error] as const],
  );
  return {
    ok: failed.length === 0 && results.length === count,
    seeds: { first, count: results.length },
    failedSeeds: failed.map(({ seed }) => seed),
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
    ...summarize(results.map(({ figures }) => figures)),
  };
}

function summarize(runs: readonly Figures[]): Record<'worst' | 'total', Record<string, number>> {
  const values = new Map<string, number[]>();
  for (const [name, value] of runs.flatMap((figures) => Object.entries(figures)))
    if (typeof value === 'number' && Number.isFinite(value))
      values.set(name, [...(values.get(name) ?? []), value]);
  const all = [...values];
  const counts = all.filter(([name, each]) => !NOT_A_COUNT.test(name) && each.every(Number.isInteger));
  return {
    worst: Object.fromEntries(
      all.map(([name, each]) => [name, RATE.test(name) ? Math.min(...each) : Math.max(...each)]),
    ),
    total: Object.fromEntries(counts.map(([name, each]) => [name, each.reduce((sum, value) => sum + value)])),
  };
}
