import { percentile } from '../support/percentile.js';
import { progress } from '../support/progress.js';
import { planCost } from '../plan/plan-cost.js';
import { regenerate } from '../plan/regenerate.js';
import type { StateSample } from './state-calls.js';
import { StateCluster, type StateClusterOptions } from './state-cluster.js';

const WORKERS = 50;
const SUBSCRIPTIONS = 5_000;
const GROWTH = [100, 1_000, 10_000, 100_000];

const REGENERATIONS = 10;

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
    const regenerateMs = percentile(await regenerate(subscriptions, REGENERATIONS), 0.5);
    growth.push({ subscriptions, planMs, regenerateMs, ...running });
  }
  return { bench: 'state', workers: WORKERS, subscriptions: SUBSCRIPTIONS, ...main, growth };
}

/** Bytes are per additional subscription. */
async function measure(options: StateClusterOptions, rounds: number) {
  const cluster = await StateCluster.start(options);
  try {
    const before = await cluster.memory();
    const activeMs = Math.round(await cluster.fill());
    const masterBlockedMs = await cluster.master.call('blocked');
    const after = await cluster.memory();
    const master: StateSample[] = [];
    const slave: StateSample[] = [];
    for (let round = 0; round < rounds; round++) {
      master.push(await cluster.master.call('sample', CALLS, INTERVAL));
      slave.push(await cluster.slave.call('sample', CALLS, INTERVAL));
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
      unanswered: all.reduce((sum, { unanswered }) => sum + unanswered, 0),
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

function latencyOf(samples: readonly StateSample[], fraction: number): number {
  return percentile(
    samples.flatMap(({ latencies }) => latencies),
    fraction,
  );
}

function waitOf(samples: readonly StateSample[]): number | null {
  const waits = samples.map(({ waitedMs }) => waitedMs);
  return waits.includes(null) ? null : Math.round(waits.reduce<number>((sum, wait) => sum + wait!, 0));
}
