import { percentile, timed } from '../support/percentile.js';
import { place, worldOf } from './plan-world.js';

const RUNS = 15;
const WARM_UP = 5;
const PER_WORKER = 100;

/** Median time to place this many subscriptions from scratch, a hundred per worker. Milliseconds. */
export async function planCost(subscriptions: number): Promise<number> {
  const world = worldOf(subscriptions, Math.ceil(subscriptions / PER_WORKER));
  const samples: number[] = [];
  for (let run = 0; run < RUNS; run++) samples.push(await timed(() => place(world)));
  return percentile(samples.slice(WARM_UP), 0.5);
}
