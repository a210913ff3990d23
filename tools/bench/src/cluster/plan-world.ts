import { plan, type PlanUnit, type PlanWorker } from '@detector-cluster/detector-cluster/planner';
import { median, timedRuns } from '../support/percentile.js';

/** The display of a subscription. */
export const displayOf = (subscription: number): string => `display-${subscription}`;

export const identifierOf = (subscription: number): string =>
  `${displayOf(subscription)};camera-${subscription}`;

/** The number of the subscription that a display, or an identifier, names. */
export const subscriptionOf = (display: string): number =>
  Number.parseInt(display.slice('display-'.length), 10);

export interface World {
  readonly units: readonly PlanUnit[];
  readonly workers: readonly PlanWorker[];
}

/** One subscription per camera, workers of different load with room for twice as many as an even share of 100. */
export function worldOf(subscriptions: number, count: number): World {
  const units: PlanUnit[] = Array.from({ length: subscriptions }, (_, i) => ({
    unitId: `camera-${i}`,
    subscriptions: [identifierOf(i)],
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

/** Places everything from scratch. */
export function place({ units, workers }: World): ReadonlyMap<string, string> {
  const { placements } = plan({ units, workers, placements: new Map() });
  if (placements.size !== units.length)
    throw new Error(`only ${placements.size} of ${units.length} units were placed`);
  return placements;
}

const RUNS = 15;
const WARM_UP = 5;
const PER_WORKER = 100;

/** Median time to place this many subscriptions from scratch, a hundred per worker. Milliseconds. */
export async function planCost(subscriptions: number): Promise<number> {
  const world = worldOf(subscriptions, Math.ceil(subscriptions / PER_WORKER));
  const samples = await timedRuns(RUNS, () => place(world));
  return median(samples.slice(WARM_UP));
}
