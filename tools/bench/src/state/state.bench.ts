import { percentile } from '../support/percentile.js';
import { progress } from '../support/progress.js';
import { planCost } from '../plan/plan-cost.js';
import { regenerate } from '../plan/regenerate.js';
import { StateCluster, type StateClusterOptions } from './state-cluster.js';

const WORKERS = 50;
const SUBSCRIPTIONS = 5_000;
const GROWTH = [100, 1_000, 10_000, 100_000];

const REGENERATIONS = 10;

/** Long enough for several reports of every worker. */
const CALLS = 750;
/** Milliseconds between calls. */
const INTERVAL = 20;

/**
 * What `getState` costs while 50 workers report 5,000 subscriptions, in the master and in another process, and what a
 * subscription costs that nothing happens to. Then how the costs grow with the number of subscriptions.
 */
export async function stateBench() {
  const { p50Ms, p99Ms, masterP99Ms, slaveP99Ms, ...memory } = await measure({
    workers: WORKERS,
    subscriptions: SUBSCRIPTIONS,
  });
  const growth: object[] = [];
  for (const subscriptions of GROWTH) {
    const running = await measure({ workers: WORKERS, subscriptions }).then(
      ({ p50Ms: getStateP50Ms, p99Ms: getStateP99Ms, ...rest }) => ({
        getStateP50Ms,
        getStateP99Ms,
        ...rest,
      }),
      // That so many cannot be had on this machine is a result too.
      (error: Error) => ({ problem: error.message }),
    );
    const planMs = await planCost(subscriptions);
    const regenerateMs = percentile(await regenerate(subscriptions, REGENERATIONS), 0.5);
    growth.push({ subscriptions, planMs, regenerateMs, ...running });
  }
  return {
    bench: 'state',
    workers: WORKERS,
    subscriptions: SUBSCRIPTIONS,
    p50Ms,
    p99Ms,
    masterP99Ms,
    slaveP99Ms,
    ...memory,
    growth,
  };
}

/** Bytes are those that one subscription adds. */
async function measure(options: StateClusterOptions) {
  const cluster = await StateCluster.start(options);
  try {
    const before = await cluster.memory();
    const activeMs = Math.round(await cluster.fill());
    const masterBlockedMs = await cluster.master.blocked();
    const after = await cluster.memory();
    const [master, slave] = [
      await cluster.master.sample(CALLS, INTERVAL),
      await cluster.slave.sample(CALLS, INTERVAL),
    ];
    const [masterP99Ms, slaveP99Ms] = [percentile(master.latencies, 0.99), percentile(slave.latencies, 0.99)];
    const perSubscription = (bytes: number) => Math.round(bytes / options.subscriptions);
    const figures = {
      p50Ms: percentile([...master.latencies, ...slave.latencies], 0.5),
      p99Ms: Math.max(masterP99Ms, slaveP99Ms),
      masterP99Ms,
      slaveP99Ms,
      unanswered: master.unanswered + slave.unanswered,
      masterBytes: perSubscription(after.master - before.master),
      redisBytes: perSubscription(after.redis - before.redis),
      activeMs,
      masterBlockedMs,
    };
    progress(`state: ${options.subscriptions} subscriptions: ${JSON.stringify(figures)}`);
    return figures;
  } finally {
    await cluster.stop();
  }
}
