import { stolenTime } from '@detector-cluster/dev-services';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchOptions } from '../bench-options.js';
import { ChildCalls } from '../support/child-calls.js';
import { BULK_INTERVAL } from './display-database.js';
import { median, percentile, roundTo } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import { BenchCluster } from './bench-cluster.js';
import type { DecisionsCalls } from './decisions-only.child.js';
import { identifierOf, planCost, workersFor } from './plan-world.js';

/** More subscriptions than this are decided upon without workers: 10,000 sockets would measure the machine. */
const MAX_WITH_SOCKETS = 200_000;

/** Of a process that decides upon a million subscriptions. MiB. */
const LARGE_HEAP = 12_000;

/** Time to wait after the start, until the cluster is idle. Milliseconds. */
const SETTLE = 10_000;

/** How long the blocks, and then the processor, of the master are measured at rest, while every worker reports every 2 s. Milliseconds. */
const AT_REST = 20_000;

const CALLS = 500;
/** Between two calls. Milliseconds. */
const INTERVAL = 20;

/** How often the follower reads everything until all runs: often enough, and seldom enough not to take a processor for it. Milliseconds. */
const LOOK = 2_000;

/** How often the next master is asked whether it knows everything; the failover figures may be too high by it. Milliseconds. */
const FAILOVER_LOOK = 100;

const CHANGES = 120;

/** Full reads that are timed while nothing else happens. */
const READS = 5;

/** Cameras that one statement changes while rows are changed one by one, if there are so many besides these. */
const MANY = 50;

/** How often the workers are asked whether a change has arrived; they note when it did. Milliseconds. */
const RECEIVED_LOOK = 50;

/** How long after a failover a worker may get a command because of it. Milliseconds. */
const QUIET = 5_000;

/**
 * How a master behaves with very many running subscriptions: one process simulates the workers, which report every 2 s.
 *
 * `longestBlockMs` is the longest time that the master's event loop was blocked, from the first subscription to the end, without the time
 * in which other processes of the benchmark, or other machines of its host, had its processor; `longestDelayMs` includes that time, and
 * `stolenPercent` is what the host took of all processors, during the whole benchmark. `oneRowMs` is the 99th percentile of
 * the time from before a change of one row to the command at its worker, and `oneWriteMs` is that of the database's part. `failoverMs` is
 * the time from SIGKILL until another master has reports from all workers that all subscriptions run. `failoverRowMs` is the time
 * from SIGKILL until a worker has a row that is changed right after it, so until the next master has read the database and decided.
 *
 * With `--source postgres`, the subscriptions are displays in a database with the reference schema. `fullReadMs` is the median time of a read
 * of everything while nothing else happens. Then a statement that changes many rows has the master read everything, once a second, while
 * `oneRowWhileReadingMs` is measured like `oneRowMs`. `suspensions` counts how often the master could not confirm its lease in time.
 *
 * `disturbedBlockMs` is the longest block of planner and reconciler alone, while half of the workers fail and return, and all workers
 * then refuse their subscriptions.
 *
 * `bytesPerSubscription` is the memory of the master, and `redisBytesPerSubscription` that of Redis, while nothing happens.
 * `unanswered` counts calls of `getState` that Redis did not answer in time.
 *
 * Above 200,000 subscriptions planner and reconciler are measured alone.
 */
export async function scaleBench({ size = 10_000, source }: BenchOptions) {
  return size > MAX_WITH_SOCKETS ? await decisionsOnly(size) : await withSockets(size, source);
}

async function decisionsOnly(size: number) {
  const child = await ChildCalls.start<DecisionsCalls>(
    'decisions',
    new URL('decisions-only.child.js', import.meta.url),
    size,
    [`--max-old-space-size=${LARGE_HEAP}`],
  );
  try {
    return { bench: 'scale', size, workers: workersFor(size), ...(await child.call('measure')) };
  } finally {
    await child.stop();
  }
}

async function withSockets(size: number, source: BenchOptions['source']) {
  const begin = { at: performance.now(), stolen: stolenTime() };
  const { disturbedBlockMs } = await decisionsOnly(size);
  const planMs = await planCost(size);
  const workerCount = workersFor(size);
  const cluster = await BenchCluster.start({ workers: workerCount, subscriptions: size, source, look: LOOK });
  try {
    const { master, follower, workers } = cluster;
    await sleep(SETTLE);
    const emptyBytes = { master: await master.call('heap'), redis: await cluster.redisMemory() };
    const activeMs = await cluster.fill();
    const fillBlockMs = await master.call('longestBlock');
    progress(`scale: ${size} subscriptions run after ${activeMs} ms`);

    await sleep(SETTLE);
    const bytesPerSubscription = Math.round(((await master.call('heap')) - emptyBytes.master) / size);
    const redisBytesPerSubscription = Math.round(((await cluster.redisMemory()) - emptyBytes.redis) / size);
    // The collection itself blocks.
    await master.call('longestBlock');
    await sleep(AT_REST);
    const restBlockMs = await master.call('longestBlock');
    await master.call('watchBlocks', false);
    const cpuBefore = await master.call('cpu');
    await sleep(AT_REST);
    const masterCpuPercent = Math.round(((await master.call('cpu')) - cpuBefore) / AT_REST) / 10;
    await master.call('watchBlocks', true);

    const state = await master.call('sample', CALLS, INTERVAL);
    const followerState = await follower.call('sample', CALLS, INTERVAL);
    const stateBlockMs = await master.call('longestBlock');

    // The first write of a process loads its client.
    await changeRows({ cluster, size, source, changes: 1 });
    const { rows, writes } = await changeRows({ cluster, size, source });
    const changeBlockMs = await master.call('longestBlock');
    const reading = source === 'postgres' ? await readEverything(cluster, size) : null;
    const suspensions = await master.call('suspensions');

    await sleep(SETTLE);
    await workers.call('commands');
    // What it has read for the benchmark does not count.
    await follower.call('longestBlock');
    const killedAt = performance.now();
    process.kill(master.pid, 'SIGKILL');
    const changedAt =
      source === 'memory' ? await follower.call('change', 0) : (await follower.call('write', 0))[0];
    const leads = async () => (await follower.call('leads', size)) && performance.now() - killedAt;
    const [failoverMs, failoverRowMs] = await Promise.all([
      cluster.until('the next master knows all subscriptions', leads, FAILOVER_LOOK),
      receivedAfter(cluster, 0, changedAt),
    ]);
    const failoverBlockMs = await follower.call('longestBlock');
    await sleep(QUIET);
    const blocks = {
      fillBlockMs,
      restBlockMs,
      stateBlockMs,
      changeBlockMs,
      ...(reading && { readBlockMs: reading.block }),
    };
    return {
      bench: 'scale',
      size,
      source,
      workers: workerCount,
      longestBlockMs: Math.max(...Object.values(blocks).map(({ blockMs }) => blockMs)),
      longestDelayMs: Math.max(...Object.values(blocks).map(({ delayMs }) => delayMs)),
      stolenPercent: roundTo(
        (100 * (stolenTime() - begin.stolen)) / (performance.now() - begin.at) / availableParallelism(),
        1,
      ),
      disturbedBlockMs,
      stateP99Ms: percentile(state.latencies, 0.99),
      followerStateP99Ms: percentile(followerState.latencies, 0.99),
      unanswered: state.unanswered + followerState.unanswered,
      oneRowMs: percentile(rows, 0.99),
      oneRowP50Ms: percentile(rows, 0.5),
      oneWriteMs: percentile(writes, 0.99),
      ...reading?.figures,
      suspensions,
      failoverMs: Math.round(failoverMs),
      failoverRowMs: Math.round(failoverRowMs),
      // One is that of the row.
      failoverCommands: (await workers.call('commands')) - 1,
      masterCpuPercent,
      planMs,
      bytesPerSubscription,
      redisBytesPerSubscription,
      activeMs,
      ...Object.fromEntries(Object.entries(blocks).map(([name, { blockMs }]) => [name, blockMs])),
      followerLongestBlockMs: failoverBlockMs.blockMs,
      followerLongestDelayMs: failoverBlockMs.delayMs,
    };
  } finally {
    await cluster.stop();
  }
}

/** Changes one row after the other. Returns how long each took to be written, and to reach its worker, in milliseconds. */
async function changeRows({
  cluster,
  size,
  source,
  changes = CHANGES,
}: {
  cluster: BenchCluster;
  size: number;
  source: BenchOptions['source'];
  changes?: number;
}): Promise<Record<'rows' | 'writes', number[]>> {
  const { master, follower } = cluster;
  const rows: number[] = [];
  const writes: number[] = [];
  for (let i = 0; i < changes; i++) {
    const subscription = Math.floor((i * size) / changes);
    if (source === 'memory') await follower.call('adopt', subscription);
    let at: number;
    if (source === 'memory') at = await master.call('change', subscription);
    else {
      const [before, after] = await follower.call('write', subscription);
      at = before;
      writes.push(after - before);
    }
    rows.push(await receivedAfter(cluster, subscription, at));
    // Varies the time since the last change.
    await sleep(100 + ((i * 137) % 300));
  }
  return { rows, writes };
}

/** Has the master read everything: {@link READS} times at rest, and then again and again while rows are changed one by one. */
async function readEverything(cluster: BenchCluster, size: number) {
  const { master, follower } = cluster;
  await master.call('reads');
  for (let i = 0; i < READS; i++) {
    await master.call('regenerate');
    await sleep(INTERVAL);
  }
  const reads = await master.call('reads');
  const many = Math.max(0, Math.min(MANY, Math.floor(size / CHANGES) - 1));
  let written: Promise<unknown> = Promise.resolve();
  const writing = setInterval(() => (written = follower.call('writeMany', many)), BULK_INTERVAL);
  const began = performance.now();
  const { rows, writes } = await changeRows({ cluster, size, source: 'postgres' }).finally(() =>
    clearInterval(writing),
  );
  const seconds = (performance.now() - began) / 1_000;
  const readsWhileWriting = await master.call('reads');
  // Otherwise the next master would send what this one had not read yet.
  await written;
  await master.call('regenerate');
  return {
    block: await master.call('longestBlock'),
    figures: {
      fullReadMs: Math.round(median(reads)),
      bulkWrites: Math.floor((seconds * 1_000) / BULK_INTERVAL),
      fullReadsWhileWriting: readsWhileWriting.length,
      fullReadWhileWritingMs: Math.round(median(readsWhileWriting)),
      oneRowWhileReadingMs: percentile(rows, 0.99),
      oneRowWhileReadingP50Ms: percentile(rows, 0.5),
      oneWriteWhileReadingMs: percentile(writes, 0.99),
    },
  };
}

async function receivedAfter(cluster: BenchCluster, subscription: number, at: number): Promise<number> {
  const arrival = async () => {
    const last = await cluster.workers.call('receivedAt', identifierOf(subscription));
    return last !== null && last >= at && last;
  };
  return (await cluster.until('a worker receives a change', arrival, RECEIVED_LOOK)) - at;
}
