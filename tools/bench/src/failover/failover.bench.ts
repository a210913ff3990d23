import { LocalCluster, waitFor, type AppProcess } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { percentile } from '../support/percentile.js';

const SIGTERM_RUNS = 20;
const SIGKILL_RUNS = 10;
const SETTLE = 1_500;

/**
 * Ends the master of a whole cluster again and again, and measures until another process has acquired the lease, as the
 * store announces it. Timing `fast`: a killed master is followed when its lease of 3 s has run out.
 */
export async function failoverBench() {
  const cluster = await LocalCluster.start({ backends: 3, workers: 1 });
  const news = new Redis(cluster.redis.url);
  try {
    const channel = `${cluster.keyPrefix}master-election:changed`;
    await news.subscribe(channel);
    const sigterm: number[] = [];
    const sigkill: number[] = [];
    for (let run = 0; run < SIGTERM_RUNS; run++)
      sigterm.push(await measure(cluster, news, (master) => master.shutdown()));
    for (let run = 0; run < SIGKILL_RUNS; run++)
      sigkill.push(await measure(cluster, news, (master) => master.crash()));
    return {
      bench: 'failover',
      sigtermP50Ms: percentile(sigterm, 0.5),
      sigtermP99Ms: percentile(sigterm, 0.99),
      sigkillP50Ms: percentile(sigkill, 0.5),
      sigkillP99Ms: percentile(sigkill, 0.99),
      sigkillLeaseMs: 3_000,
      runs: SIGTERM_RUNS + SIGKILL_RUNS,
    };
  } finally {
    news.disconnect();
    await cluster.stop();
  }
}

async function measure(
  cluster: LocalCluster,
  news: Redis,
  end: (master: AppProcess) => Promise<void>,
): Promise<number> {
  const master = await waitFor('one master', 20_000, () => cluster.master());
  await new Promise((resolve) => setTimeout(resolve, SETTLE));
  const acquired = acquisitionByAnother(news, master.name);
  const start = performance.now();
  const ended = end(master);
  await acquired;
  const took = performance.now() - start;
  await ended;
  await master.start();
  return took;
}

/** Resolves when the store announces that another process holds the lease. */
function acquisitionByAnother(news: Redis, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nobody followed ${name} within 20 s`)), 20_000);
    const read = (_channel: string, text: string) => {
      const { owner, reason } = JSON.parse(text) as { owner: string | null; reason: string };
      if (reason !== 'acquired' || !owner || owner.startsWith(`${name}:`)) return;
      clearTimeout(timer);
      news.off('message', read);
      resolve();
    };
    news.on('message', read);
  });
}
