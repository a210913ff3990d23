import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile, sum } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import { planCost } from '../plan/plan-world.js';
import { regenerate } from '../plan/regenerate.js';
import type { StateSample } from '../cluster/backend.child.js';
import { BenchCluster, type BenchClusterOptions } from '../cluster/bench-cluster.js';

const WORKERS = 50;
const SUBSCRIPTIONS = 5_000;
const GROWTH = [100, 1_000, 10_000, 100_000];

const REGENERATIONS = 10;

/** Time to wait for the first reports, until the cluster is idle. Milliseconds. */
const SETTLE = 5_000;

/** Long enough for several reports of every worker. */
const CALLS = 750;
/** Milliseconds between calls. */
const INTERVAL = 20;
/** How often the master and the other process are called in turns, because the speed of a shared machine varies. */
const ROUNDS = 4;

/**
 * Measures what `getState` costs while 50 workers report 5,000 subscriptions, in the master and in another process, and the cost
 * of an idle subscription. Then it measures how the costs grow with the number of subscriptions.
 *
 * Latencies are percentiles over all rounds, and of the worst round. `waitedMs` is how long the called processes were ready to
 * run without a processor, over all rounds. If that is a large part of the time, the machine causes the latencies.
 */
export async function stateBench() {
  const main = await measure({ workers: WORKERS, subscriptions: SUBSCRIPTIONS }, ROUNDS);
  const growth: object[] = [];
  for (const subscriptions of GROWTH) {
    const running = await measure({ workers: WORKERS, subscriptions }, 1).then(
      ({ p50Ms: getStateP50Ms, p99Ms: getStateP99Ms, worstRoundP99Ms: _worst, ...rest }) => ({
        getStateP50Ms,
        getStateP99Ms,
        ...rest,
      }),
      // A failure to reach this number on this machine is a result too.
      (error: Error) => ({ problem: error.message }),
    );
    const planMs = await planCost(subscriptions);
    const regenerateMs = median(await regenerate(subscriptions, REGENERATIONS));
    growth.push({ subscriptions, planMs, regenerateMs, ...running });
  }
  return { bench: 'state', workers: WORKERS, subscriptions: SUBSCRIPTIONS, ...main, growth };
}

/** Bytes are per additional subscription. */
async function measure(options: BenchClusterOptions, rounds: number) {
  const cluster = await BenchCluster.start(options);
  try {
    const before = await cluster.memory();
    const activeMs = await cluster.fill();
    await sleep(SETTLE);
    const { delayMs } = await cluster.master.call('longestBlock');
    for (const backend of [cluster.master, cluster.follower]) await backend.call('watchBlocks', false);
    const after = await cluster.memory();
    const master: StateSample[] = [];
    const slave: StateSample[] = [];
    for (let round = 0; round < rounds; round++) {
      master.push(await cluster.master.call('sample', CALLS, INTERVAL));
      slave.push(await cluster.follower.call('sample', CALLS, INTERVAL));
    }
    const all = [...master, ...slave];
    const perSubscription = (bytes: number) => Math.round(bytes / options.subscriptions);
    const figures = {
      p50Ms: latencyOf(all, 0.5),
      p99Ms: Math.max(latencyOf(master, 0.99), latencyOf(slave, 0.99)),
      worstRoundP99Ms: Math.max(...all.map((sample) => latencyOf([sample], 0.99))),
      masterP99Ms: latencyOf(master, 0.99),
      slaveP99Ms: latencyOf(slave, 0.99),
      waitedMs: waitOf(all),
      unanswered: sum(all.map(({ unanswered }) => unanswered)),
      masterBytes: perSubscription(after.master - before.master),
      redisBytes: perSubscription(after.redis - before.redis),
      activeMs,
      masterBlockedMs: Math.round(delayMs),
    };
    progress(`state: ${options.subscriptions} subscriptions: ${JSON.stringify(figures)}`);
    return figures;
  } finally {
    await cluster.stop();
  }
}

function latencyOf(samples: readonly StateSample[], fraction: number): number {
  return percentile(
    samples.flatMap(({ latencies }) => latencies),
    fraction,
  );
}

function waitOf(samples: readonly StateSample[]): number | null {
  const waits = samples.map(({ waitedMs }) => waitedMs);
  return waits.includes(null) ? null : Math.round(sum(waits as number[]));
}
