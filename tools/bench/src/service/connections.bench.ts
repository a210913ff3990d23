import { monitorRedis } from '@detector-cluster/dev-services';
import { setTimeout as sleep } from 'node:timers/promises';
import { roundTo } from '../support/percentile.js';
import { cpuSeconds, progress } from '../support/process-figures.js';
import { BACKENDS, CONNECTION_BOUNDS, connectionsInUse, EquippedCluster } from './equipped-cluster.js';

/** Time to wait after the start, until the cluster is idle. Milliseconds. */
const SETTLE = 5_000;

/** The longest interval at rest is 30 s; such commands are few. Milliseconds. */
const WINDOW = 20_000;

/**
 * Commands to Redis per second while nothing happens: subscriptions run, workers detect nothing, no page is open.
 *
 * `perProcess` is the increase of `total_commands_processed` per process, including commands that scripts call. `sent` counts
 * the commands that a process sends, by role, with MONITOR. `masterCpuPercent` is the processor time of the master.
 */
async function costsAtRest() {
  const cluster = await EquippedCluster.start({ inUse: false });
  try {
    await sleep(SETTLE);
    const master = await cluster.master();
    const from = { ...(await processed(cluster)), cpu: await cpuSeconds(master.url) };
    await sleep(WINDOW);
    const to = { ...(await processed(cluster)), cpu: await cpuSeconds(master.url) };
    const seconds = (to.at - from.at) / 1_000;
    return {
      perProcess: rounded((to.count - from.count) / seconds / BACKENDS),
      masterCpuPercent: rounded(((to.cpu - from.cpu) * 100) / seconds),
      // MONITOR adds output of its own, so it starts last.
      sent: await sentAtRest(cluster),
    };
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
  const { counts, close } = await countCommands(cluster.url);
  await sleep(WINDOW);
  const seconds = (performance.now() - start) / 1_000;
  close();
  const sent = { follower: 0, master: 0 };
  for (const backend of cluster.backends)
    for (const { addr } of await cluster.clientsOf(backend))
      sent[backend === master ? 'master' : 'follower'] += counts.get(addr) ?? 0;
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
  const { follower, master } = await connectionsInUse();
  progress(`connections: names ${JSON.stringify({ follower, master })}`);
  const atRest = await costsAtRest();
  const ok =
    follower.length <= CONNECTION_BOUNDS.follower &&
    master.length <= CONNECTION_BOUNDS.master &&
    ![...follower, ...master].includes('');
  return {
    bench: 'connections',
    ok,
    follower: follower.length,
    master: master.length,
    bounds: CONNECTION_BOUNDS,
    commandsPerSecondIdle: atRest.perProcess,
    sentPerSecondIdle: atRest.sent,
    masterCpuPercentIdle: atRest.masterCpuPercent,
  };
}

/** `+<time> [<db> <address>] "COMMAND" …`; commands of a script have the address `lua`. */
const LINE = /^\+\d+\.\d+ \[\d+ (\S+)\]/;

/** Counts the commands that Redis receives by client address, `127.0.0.1:<port>`, without those that scripts call. */
export async function countCommands(url: string) {
  const counts = new Map<string, number>();
  const monitor = await monitorRedis(url, (line) => {
    const address = LINE.exec(line)?.[1];
    if (address && address !== 'lua') counts.set(address, (counts.get(address) ?? 0) + 1);
  });
  return { counts, close: () => monitor.destroy() };
}
