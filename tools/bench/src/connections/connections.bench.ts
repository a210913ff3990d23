import { setTimeout as sleep } from 'node:timers/promises';
import { CommandTap } from '../election/command-tap.js';
import { roundTo } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import { CONNECTION_BOUNDS, connectionsInUse } from './connections-in-use.js';
import { EquippedCluster } from './equipped-cluster.js';

/** Time to wait after the start, until the cluster is idle. Milliseconds. */
const SETTLE = 5_000;

/** The longest interval at rest is 30 s; such commands are few. Milliseconds. */
const WINDOW = 20_000;

const BACKENDS = 2;

/**
 * Commands to Redis per second while nothing happens: subscriptions run, workers detect nothing, no page is open.
 *
 * `perProcess` is the increase of `total_commands_processed` per process, including commands that scripts call. `sent` counts
 * the commands that a process sends, by role, with MONITOR.
 */
async function commandsAtRest() {
  const cluster = await EquippedCluster.start({ backends: BACKENDS, inUse: false });
  try {
    await sleep(SETTLE);
    const from = await processed(cluster);
    await sleep(WINDOW);
    const to = await processed(cluster);
    const perProcess = (to.count - from.count) / ((to.at - from.at) / 1_000) / BACKENDS;
    return { perProcess: rounded(perProcess), sent: await sentAtRest(cluster) };
  } finally {
    await cluster.stop();
  }
}

async function processed({ redis }: EquippedCluster) {
  const stats = await redis.info('stats');
  return { count: Number(/^total_commands_processed:(\d+)/m.exec(stats)![1]), at: performance.now() };
}

async function sentAtRest(cluster: EquippedCluster) {
  const master = await cluster.master();
  const start = performance.now();
  const tap = await CommandTap.open(cluster.url);
  await sleep(WINDOW);
  const seconds = (performance.now() - start) / 1_000;
  tap.close();
  const sent = { follower: 0, master: 0 };
  for (const backend of cluster.backends)
    for (const { addr } of await cluster.clientsOf(backend))
      sent[backend === master ? 'master' : 'follower'] += tap.counts.get(addr) ?? 0;
  return {
    follower: rounded(sent.follower / seconds / (BACKENDS - 1)),
    master: rounded(sent.master / seconds),
  };
}

const rounded = (value: number): number => roundTo(value, 1);

/**
 * Measures how many connections to Redis a process of the reference service holds with everything in use, and how many commands
 * it sends while nothing happens. Not `ok` if a process holds more connections than allowed, or one without a name.
 */
export async function connectionsBench() {
  const { follower, master } = await connectionsInUse({});
  const names = { follower: follower.names, master: master.names };
  progress(`connections: names ${JSON.stringify(names)}`);
  const atRest = await commandsAtRest();
  const ok =
    follower.count <= CONNECTION_BOUNDS.follower &&
    master.count <= CONNECTION_BOUNDS.master &&
    ![...follower.names, ...master.names].includes('');
  return {
    bench: 'connections',
    ok,
    follower: follower.count,
    master: master.count,
    bounds: CONNECTION_BOUNDS,
    commandsPerSecondIdle: atRest.perProcess,
    sentPerSecondIdle: atRest.sent,
  };
}
