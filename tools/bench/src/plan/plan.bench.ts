import { plan, type PlanUnit, type PlanWorker } from '@detector-cluster/detector-cluster';
import { percentile, timed } from '../support/percentile.js';

const RUNS = 30;

/** Places everything from nothing, the most that a plan can have to do. */
export async function planBench() {
  const small = await measure(10_000, 100);
  const large = await measure(100_000, 1_000);
  return {
    bench: 'plan',
    subscriptions: 10_000,
    workers: 100,
    p50Ms: percentile(small, 0.5),
    p99Ms: percentile(small, 0.99),
    large: { subscriptions: 100_000, workers: 1_000, p50Ms: percentile(large, 0.5) },
  };
}

async function measure(subscriptions: number, count: number): Promise<number[]> {
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
  const samples: number[] = [];
  for (let run = 0; run < RUNS; run++)
    samples.push(
      await timed(() => {
        const { placements } = plan({ units, workers, placements: new Map() });
        if (placements.size !== subscriptions)
          throw new Error(`placed ${placements.size} of ${subscriptions}`);
      }),
    );
  // The first runs warm the compiler up; a master plans for as long as it lives.
  return samples.slice(5);
}
