import { startRedis } from '@detector-cluster/dev-services';
import { percentile } from '../support/percentile.js';
import { progress } from '../support/progress.js';
import { DeliveryRun, type DeliveryLoop } from './delivery-run.js';

const RATE = 10_000;
const STEADY = 3_000;
const ROUNDS = 3;
const FLOOD = 40_000;

/**
 * Worker socket → callback in another process: latency at a steady rate and the highest rate, beside those of the bare
 * loop and of Nest's own transport over the same Redis, taken in turns because the machine's speed changes in between.
 * Each figure is the median of the rounds, which are listed: on a busy machine single rounds are off.
 */
export async function deliveryBench() {
  const redis = await startRedis();
  try {
    const rounds: Record<'raw' | 'cluster' | 'nest', Figures>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const raw = await measure('raw-loop', redis.url, round);
      const cluster = await measure('cluster-loop', redis.url, round);
      const nest = await measure('nest-loop', redis.url, round);
      rounds.push({ raw, cluster, nest });
      progress(`delivery: round ${round + 1} of ${ROUNDS}: ${JSON.stringify(rounds.at(-1))}`);
    }
    return {
      bench: 'delivery',
      rate: RATE,
      p50Ms: median(rounds.map(({ cluster }) => cluster.p50Ms)),
      p99Ms: median(rounds.map(({ cluster }) => cluster.p99Ms)),
      rawP99Ms: median(rounds.map(({ raw }) => raw.p99Ms)),
      nestTransportP99Ms: median(rounds.map(({ nest }) => nest.p99Ms)),
      maxRate: median(rounds.map(({ cluster }) => cluster.maxRate)),
      rawMaxRate: median(rounds.map(({ raw }) => raw.maxRate)),
      nestTransportMaxRate: median(rounds.map(({ nest }) => nest.maxRate)),
      ratio: median(rounds.map(({ cluster, raw }) => cluster.maxRate / raw.maxRate)),
      ratioToNest: median(rounds.map(({ cluster, nest }) => cluster.maxRate / nest.maxRate)),
      rounds,
    };
  } finally {
    await redis.stop();
  }
}

interface Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxRate: number;
}

async function measure(loop: DeliveryLoop, redis: string, round: number): Promise<Figures> {
  const run = await DeliveryRun.start(loop, redis, `{${loop}-${round}}:`);
  try {
    await run.flood(FLOOD / 4);
    const latencies = await run.steady(RATE, STEADY);
    return {
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      maxRate: await run.flood(FLOOD),
    };
  } finally {
    await run.close();
  }
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
