import { plan, type PlanUnit, type PlanWorker } from '@detector-cluster/detector-cluster/planner';
import { percentile, timed } from '../support/percentile.js';
import { place, worldOf } from './plan-world.js';
import { regenerate } from './regenerate.js';

const RUNS = 30;
/** The first runs warm up the compiler, because a master is long-lived. */
const WARM_UP = 5;

const DISPLAYS = 1_000;
const REGENERATIONS = 100;

/**
 * Measures a plan that places everything from scratch, which is the most work. Beside it: a plan that finds everything in place,
 * as most do, and a plain loop that sorts the workers for each subscription. Then the step before a plan: reading the desired
 * state from Postgres.
 */
export async function planBench() {
  const [small, large] = [worldOf(10_000, 100), worldOf(100_000, 1_000)];
  const placed = place(large);
  const steady = { now: 0, state: plan({ ...large, placements: placed, rebalance: START }).state };
  const [p50Ms, maxMs, sortMs, p50Ms100k, steadyMs] = await alternate([
    [() => place(small), 0.5],
    [() => place(small), 1],
    [() => sortPerSubscription(small.units, small.workers), 0.5],
    [() => place(large), 0.5],
    [() => plan({ ...large, placements: placed, rebalance: { ...steady, now: 60_000 } }), 0.5],
  ]);
  const regenerations = await regenerate(DISPLAYS, REGENERATIONS);
  return {
    bench: 'plan',
    subscriptions: 10_000,
    workers: 100,
    p50Ms,
    maxMs,
    sortPerSubscriptionP50Ms: sortMs,
    ofSortPerSubscription: Math.round((p50Ms! / sortMs!) * 1_000) / 1_000,
    p50Ms100k,
    steadyP50Ms100k: steadyMs,
    displays: DISPLAYS,
    regenerateP50Ms: percentile(regenerations, 0.5),
    regenerateP99Ms: percentile(regenerations, 0.99),
  };
}

const START = { now: 0, state: null };

/** Runs all in turn, so that other load on the machine affects them equally. Returns a percentile of each, in milliseconds. */
async function alternate(works: readonly (readonly [() => unknown, number])[]): Promise<number[]> {
  const samples = works.map((): number[] => []);
  for (let run = 0; run < RUNS; run++)
    for (const [i, [work]] of works.entries()) samples[i]!.push(await timed(work));
  return works.map(([, fraction], i) => percentile(samples[i]!.slice(WARM_UP), fraction));
}

/**
 * The naive solution: for each subscription it scores and sorts all workers, and the first one gets it. It has no limits, reasons
 * or stability, and adds a count of subscriptions to percentages.
 */
function sortPerSubscription(
  units: readonly PlanUnit[],
  workers: readonly PlanWorker[],
): Map<string, string> {
  const counts = new Map(workers.map(({ url }) => [url, 0]));
  const placements = new Map<string, string>();
  for (const { unitId } of units) {
    const [best] = workers
      .map(({ url, cpu, memory }) => ({
        url,
        score: counts.get(url)! * 0.4 + (cpu ?? 0) * 0.35 + (memory ?? 0) * 0.25,
      }))
      .sort((a, b) => a.score - b.score);
    placements.set(unitId, best!.url);
    counts.set(best!.url, counts.get(best!.url)! + 1);
  }
  return placements;
}
