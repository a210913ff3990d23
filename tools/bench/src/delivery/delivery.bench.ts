import { startRedis } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { percentile } from '../support/percentile.js';
import { progress } from '../support/progress.js';
import { DeliveryRun, type DeliveryLoop, type Steady } from './delivery-run.js';

const RATE = 10_000;
/** Milliseconds. */
const STEADY = 3_000;
const ROUNDS = 5;
/** Frames before anything is measured: processes that have just started are not yet at their speed. */
const WARM_UP = 40_000;
/** Frames of one search for the highest rate: over a second of it on a fast machine, or it would not be one that lasts. */
const FLOOD = 150_000;

/**
 * Worker socket → callback in another process: latency at a steady rate and the highest rate, beside those of the bare
 * loop and of Nest's own transport over the same Redis, taken in turns because the machine's speed changes in between.
 *
 * Latencies are percentiles over all rounds, and the worst round's; rates are medians. Rounds are listed with the time that
 * the processes stood ready without a processor: where that is a good part of the round, the latencies are the machine's.
 */
export async function deliveryBench() {
  const redis = await startRedis();
  try {
    const rounds: Record<Loop, Round>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const raw = await measure('raw-loop', redis.url, round);
      const cluster = await measure('cluster-loop', redis.url, round);
      const nest = await measure('nest-loop', redis.url, round);
      rounds.push({ raw, cluster, nest });
      progress(`delivery: round ${round + 1} of ${ROUNDS}: ${JSON.stringify(listed(rounds.at(-1)!))}`);
    }
    const pooled = (loop: Loop, fraction: number) =>
      percentile(
        rounds.flatMap((round) => round[loop].latencies),
        fraction,
      );
    const rate = (loop: Loop) => median(rounds.map((round) => round[loop].maxRate));
    return {
      bench: 'delivery',
      rate: RATE,
      p50Ms: pooled('cluster', 0.5),
      p99Ms: pooled('cluster', 0.99),
      worstRoundP99Ms: Math.max(...rounds.map(({ cluster }) => percentile(cluster.latencies, 0.99))),
      rawP99Ms: pooled('raw', 0.99),
      nestTransportP99Ms: pooled('nest', 0.99),
      maxRate: rate('cluster'),
      rawMaxRate: rate('raw'),
      nestTransportMaxRate: rate('nest'),
      ratio: median(rounds.map(({ cluster, raw }) => cluster.maxRate / raw.maxRate)),
      ratioToNest: median(rounds.map(({ cluster, nest }) => cluster.maxRate / nest.maxRate)),
      rounds: rounds.map(listed),
    };
  } finally {
    await redis.stop();
  }
}

type Loop = 'raw' | 'cluster' | 'nest';

interface Round extends Steady {
  readonly maxRate: number;
}

async function measure(loop: DeliveryLoop, redis: string, round: number): Promise<Round> {
  const run = await DeliveryRun.start(loop, redis, `{${loop}-${round}}:`);
  try {
    await run.flood(WARM_UP);
    const steady = await run.steady(RATE, STEADY);
    return { ...steady, maxRate: await run.flood(FLOOD) };
  } finally {
    await run.close();
    await empty(redis);
  }
}

/** The bare loop leaves all its entries: the next one shall not find a Redis that is full of them. */
async function empty(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.flushall();
  redis.disconnect();
}

/** A round as it is printed. */
function listed(round: Record<Loop, Round>) {
  const figures = ({ latencies, waitedMs, maxRate }: Round) => ({
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    waitedMs,
    maxRate,
  });
  return { raw: figures(round.raw), cluster: figures(round.cluster), nest: figures(round.nest) };
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
