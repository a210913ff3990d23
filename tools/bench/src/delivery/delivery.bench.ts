import { startRedis } from '@detector-cluster/dev-services';
import { percentile } from '../support/percentile.js';
import { DeliveryRun } from './delivery-run.js';

const RATE = 2_000;
const PAIRS = 3;
const FLOOD = 40_000;

/**
 * Worker socket → callback in another process: latency at a steady rate, and the highest rate beside that of the bare
 * loop over the same Redis, taken in turns because the machine's speed changes in between.
 */
export async function deliveryBench() {
  const redis = await startRedis();
  try {
    const rates: { cluster: number; raw: number }[] = [];
    const latencies: number[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      const raw = await measure('raw-loop', redis.url, `{raw-${pair}}:`, []);
      const cluster = await measure('cluster-loop', redis.url, `{cluster-${pair}}:`, latencies);
      rates.push({ cluster, raw });
    }
    return {
      bench: 'delivery',
      rate: RATE,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      maxRate: median(rates.map(({ cluster }) => cluster)),
      rawMaxRate: median(rates.map(({ raw }) => raw)),
      ratio: median(rates.map(({ cluster, raw }) => Math.round((cluster / raw) * 100) / 100)),
      pairs: rates,
    };
  } finally {
    await redis.stop();
  }
}

async function measure(
  loop: 'raw-loop' | 'cluster-loop',
  redis: string,
  prefix: string,
  latencies: number[],
): Promise<number> {
  const run = await DeliveryRun.start(loop, redis, prefix);
  try {
    await run.flood(FLOOD / 4);
    latencies.push(...(await run.steady(RATE, 3_000)));
    return await run.flood(FLOOD);
  } finally {
    await run.close();
  }
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
