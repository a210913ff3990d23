import { startRedis } from '@detector-cluster/dev-services';
import { percentile } from '../support/percentile.js';
import { progress } from '../support/progress.js';
import { DeliveryRun, type DeliveryLoop } from './delivery-run.js';

const RATE = 10_000;
const STEADY = 3_000;
const ROUNDS = 3;
const FLOOD = 40_000;

/**
 * Worker socket → callback in another process: latency at a steady rate, and the highest rate beside that of the bare
 * loop and of Nest's own transport over the same Redis, taken in turns because the machine's speed changes in between.
 */
export async function deliveryBench() {
  const redis = await startRedis();
  try {
    const rounds: { cluster: number; raw: number; nest: number }[] = [];
    const latencies: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const raw = await measure('raw-loop', redis.url, round);
      const cluster = await measure('cluster-loop', redis.url, round);
      const nest = await measure('nest-loop', redis.url, round);
      latencies.push(...cluster.latencies);
      rounds.push({ cluster: cluster.maxRate, raw: raw.maxRate, nest: nest.maxRate });
      progress(`delivery: round ${round + 1} of ${ROUNDS}: ${JSON.stringify(rounds.at(-1))}`);
    }
    return {
      bench: 'delivery',
      rate: RATE,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      maxRate: median(rounds.map(({ cluster }) => cluster)),
      rawMaxRate: median(rounds.map(({ raw }) => raw)),
      nestTransportMaxRate: median(rounds.map(({ nest }) => nest)),
      ratio: median(rounds.map(({ cluster, raw }) => cluster / raw)),
      ratioToNest: median(rounds.map(({ cluster, nest }) => cluster / nest)),
      rounds,
    };
  } finally {
    await redis.stop();
  }
}

async function measure(loop: DeliveryLoop, redis: string, round: number) {
  const run = await DeliveryRun.start(loop, redis, `{${loop}-${round}}:`);
  try {
    await run.flood(FLOOD / 4);
    const latencies = loop === 'cluster-loop' ? await run.steady(RATE, STEADY) : [];
    return { latencies, maxRate: await run.flood(FLOOD) };
  } finally {
    await run.close();
  }
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
