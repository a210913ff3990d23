import { plan, type PlanUnit, type PlanWorker } from '@detector-cluster/detector-cluster/planner';
import { median, timedRuns } from '../support/percentile.js';

/** The display of a subscription. */
export const displayOf = (subscription: number): string => `display-${subscription}`;

/** The camera of a subscription. */
export const cameraOf = (subscription: number): string => `camera-${subscription}`;

export const identifierOf = (subscription: number): string =>
  `${displayOf(subscription)};${cameraOf(subscription)}`;

/** The number of the subscription that a display, or an identifier, names. */
export const subscriptionOf = (display: string): number =>
  Number.parseInt(display.slice('display-'.length), 10);

/** Subscriptions on each worker. */
export const PER_WORKER = 100;

/** How many workers hold this many subscriptions. */
export const workersFor = (subscriptions: number): number => Math.ceil(subscriptions / PER_WORKER);

const RUNS = 15;

/**
 * Median time to place this many subscriptions from scratch, in milliseconds: one per camera, on workers of different load with
 * room for twice as many. The first third of the runs warms up.
 */
export async function planCost(subscriptions: number, runs = RUNS): Promise<number> {
  const units: PlanUnit[] = Array.from({ length: subscriptions }, (_, i) => ({
    unitId: `camera-${i}`,
    subscriptions: [identifierOf(i)],
    cost: 1,
    models: [i % 5],
  }));
  const workers: PlanWorker[] = Array.from({ length: workersFor(subscriptions) }, (_, i) => ({
    url: `ws://worker-${i}:8000`,
    state: 'Ready',
    capacity: 2 * PER_WORKER,
    cpu: (i * 37) % 60,
    memory: (i * 17) % 60,
    gpu: null,
    gpuMemory: null,
  }));
  const samples = await timedRuns(runs, () => {
    const { placements } = plan({ units, workers, placements: new Map() });
    if (placements.size !== units.length)
      throw new Error(`only ${placements.size} of ${units.length} units were placed`);
  });
  return median(samples.slice(Math.floor(runs / 3)));
}
