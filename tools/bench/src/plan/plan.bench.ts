import { plan, type PlanUnit, type PlanWorker } from '@detector-cluster/detector-cluster';
import { percentile, timed } from '../support/percentile.js';
import { sortPerSubscription } from './sort-per-subscription.js';

const RUNS = 30;
/** The first runs warm the compiler up; a master plans for as long as it lives. */
const WARM_UP = 5;

/**
 * Places everything from nothing, the most that a plan can have to do; beside it a plan that finds everything in place, as
 * most do, and the plain loop that sorts the workers for each subscription.
 */
export async function planBench() {
  const [small, large] = [worldOf(10_000, 100), worldOf(100_000, 1_000)];
  const placed = place(large);
  const steady = { now: 0, state: plan({ ...large, placements: placed, rebalance: START }).state };
  const [p50Ms, p99Ms, sortMs, p50Ms100k, steadyMs] = await alternate([
    [() => place(small), 0.5],
    [() => place(small), 0.99],
    [() => sortPerSubscription(small.units, small.workers), 0.5],
    [() => place(large), 0.5],
    [() => plan({ ...large, placements: placed, rebalance: { ...steady, now: 60_000 } }), 0.5],
  ]);
  return {
    bench: 'plan',
    subscriptions: 10_000,
    workers: 100,
    p50Ms,
    p99Ms,
    sortPerSubscriptionP50Ms: sortMs,
    ofSortPerSubscription: Math.round((p50Ms! / sortMs!) * 1_000) / 1_000,
    p50Ms100k,
    steadyP50Ms100k: steadyMs,
  };
}

const START = { now: 0, state: null };

interface World {
  readonly units: readonly PlanUnit[];
  readonly workers: readonly PlanWorker[];
}

function worldOf(subscriptions: number, count: number): World {
  const units: PlanUnit[] = Array.from({ length: subscriptions }, (_, i) => ({
    unitId: `camera-${i}`,
    subscriptions: [`display-${i};camera-${i}`],
    cost: 1,
    models: [i % 5],
  }));
  const workers: PlanWorker[] = Array.from({ length: count }, (_, i) => ({
    url: `ws://worker-${i}:8000`,
    state: 'Ready',
    capacity: 200,
    cpu: (i * 37) % 60,
    memory: (i * 17) % 60,
    gpu: null,
    gpuMemory: null,
  }));
  return { units, workers };
}

function place({ units, workers }: World): ReadonlyMap<string, string> {
  const { placements } = plan({ units, workers, placements: new Map() });
  if (placements.size !== units.length) throw new Error(`placed ${placements.size} of ${units.length}`);
  return placements;
}

/** In turn, so that what else the machine does meets all of them alike; a percentile of the milliseconds of each. */
async function alternate(works: readonly (readonly [() => unknown, number])[]): Promise<number[]> {
  const samples = works.map((): number[] => []);
  for (let run = 0; run < RUNS; run++)
    for (const [i, [work]] of works.entries()) samples[i]!.push(await timed(work));
  return works.map(([, fraction], i) => percentile(samples[i]!.slice(WARM_UP), fraction));
}
