// Planner and reconciler with workers that exist in memory only: the first argument says how many subscriptions. Needs a large heap.
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlockWatch } from '../support/block-watch.js';
import { childArgument, serveCalls } from '../support/child-calls.js';
import { percentile } from '../support/percentile.js';
import { identifierOf, PER_WORKER, planCost, workersFor } from './plan-world.js';

interface Tracked {
  readonly workerUrl: string;
  readonly status: string;
}

/** What a master remembers from pass to pass. */
interface Memory {
  readonly tracked: ReadonlyMap<string, Tracked>;
  readonly moves: ReadonlyMap<string, object>;
  readonly penalties: ReadonlyMap<string, object>;
  readonly plannerState: object | null;
  readonly unsubscribing: ReadonlyMap<string, number>;
}

interface Result extends Memory {
  readonly actions: readonly object[];
}

/** Not part of the library's API. */
const built = (path: string): Promise<unknown> =>
  import(new URL(`../../../../libs/${path}`, import.meta.url).href);
const { reconcileSteps, explainedPlanFor } = (await built('placement/dist/reconcile/reconcile.js')) as {
  reconcileSteps: (input: object) => Generator<void, Result>;
  explainedPlanFor: (input: object) => Generator<void, object>;
};
const { reconcileSome } = (await built('placement/dist/reconcile/reconcile-some.js')) as {
  reconcileSome: (
    input: object,
    ids: readonly string[],
    streams: readonly object[],
  ) => Generator<void, Result | null>;
};
const { runInSlices } = (await built('detector-cluster/dist/shared/run-in-slices.js')) as {
  runInSlices: <T>(steps: Generator<void, T>) => Promise<T>;
};

const ROWS = 200;

/** A disturbance of more subscriptions takes many minutes. */
const MAX_DISTURBED = 200_000;

/** Pauses of the garbage collection. Milliseconds. */
const pauses: number[] = [];
new PerformanceObserver((list) => pauses.push(...list.getEntries().map(({ duration }) => duration))).observe({
  entryTypes: ['gc'],
});

const size = childArgument<number>();
const ids = Array.from({ length: size }, (_, i) => identifierOf(i));
const entryOf = (i: number, version: number) => ({
  spec: {
    subscriptionIdentifier: ids[i],
    rtspUrl: `rtsp://x/${i}`,
    modelId: 1 + (i % 5),
    modelName: 'm',
    createdAt: '',
  },
  hash: `${i}-${version}`,
  cameraId: `camera-${i}`,
});
const desired = new Map(ids.map((id, i) => [id, entryOf(i, 0)]));
const workers = Array.from({ length: workersFor(size) }, (_, i) => ({
  url: `ws://worker-${i}:8000`,
  liveness: 'Ready',
  current: true,
  reported: new Map<string, object>(),
  reportsDue: new Map<string, number>(),
  capacity: 2 * PER_WORKER,
  cpu: 30,
  memory: 40,
  gpu: null,
  gpuMemory: null,
}));
const byUrl = new Map(workers.map((worker) => [worker.url, worker]));
let memory: Memory = {
  tracked: new Map(),
  moves: new Map(),
  penalties: new Map(),
  plannerState: null,
  unsubscribing: new Map(),
};
let now = 0;

const input = () => ({
  now: (now += 1_000),
  wallNow: 1_700_000_000_000 + now,
  desired,
  workers,
  ...memory,
  settling: false,
  mayUnsubscribe: true,
  frozen: false,
  rebalance: false,
});

const blocks = new BlockWatch();
/** The longest time that the event loop was blocked since {@link longestBlock} was reset. Milliseconds. */
let longestBlock = 0;

/** Runs steps as the master does. Returns their result. */
async function watched<T>(steps: Generator<void, T>): Promise<T> {
  blocks.start();
  const result = await runInSlices(steps);
  blocks.stop();
  longestBlock = Math.max(longestBlock, blocks.take().blockMs);
  return result;
}

/** One pass over everything. Returns how long it took, with its pauses, in milliseconds. */
async function pass(): Promise<number> {
  const began = performance.now();
  memory = await watched(reconcileSteps(input()));
  return performance.now() - began;
}

/** All workers report the subscriptions that they have, as running. */
function report(): void {
  for (const { reported, reportsDue } of workers) {
    reported.clear();
    reportsDue.clear();
  }
  for (const [id, { workerUrl }] of memory.tracked) {
    const worker = byUrl.get(workerUrl);
    worker?.reported.set(id, { online: true, modelId: desired.get(id)!.spec.modelId, fingerprint: null });
    worker?.reportsDue.set(id, 0);
  }
}

/**
 * Half of the workers fail and return, then all workers lose their subscriptions and take none for a minute. Returns the longest time
 * that the event loop was blocked, in milliseconds.
 */
async function disturb(): Promise<number> {
  longestBlock = 0;
  const half = workers.filter((_, i) => i % 2 === 0);
  for (const worker of half) Object.assign(worker, { liveness: 'Offline', current: false });
  await pass();
  report();
  await pass();
  for (const worker of half) Object.assign(worker, { liveness: 'Ready', current: true });
  await pass();
  for (const { reported } of workers) reported.clear();
  for (let i = 0; i < 5; i++) {
    now += 12_000;
    await pass();
  }
  if (memory.penalties.size === 0) throw new Error('no worker has refused a subscription');
  return longestBlock;
}

/** Durations of planner and reconciler without sockets. Milliseconds. */
async function measure() {
  const planMs = await planCost(size, 1);
  await pass();
  report();
  await pass();
  const wholePassMs = await pass();
  // What an operator sees who asks what the master would do, or why a subscription runs where it does.
  await watched(explainedPlanFor(input()));
  const longestBlockMs = Math.round(longestBlock);
  const idle = [...memory.tracked.values()].filter(({ status }) => status !== 'active').length;
  if (idle > 0) throw new Error(`${idle} of ${size} subscriptions are not active`);

  const rows: number[] = [];
  for (let i = 0; i < ROWS; i++) {
    const row = Math.floor((i * size) / ROWS);
    desired.set(ids[row]!, entryOf(row, 1));
    const asked = performance.now();
    const some = await runInSlices(reconcileSome(input(), [ids[row]!], []));
    rows.push(performance.now() - asked);
    if (some?.actions.length !== 1) throw new Error('a changed subscription was not sent');
  }
  const disturbedBlockMs = size > MAX_DISTURBED ? null : Math.round(await disturb());
  // Observers are called in a later turn of the event loop.
  await sleep(10);
  return {
    /** A plan that places everything from scratch, without interruption. */
    planMs: Math.round(planMs),
    /** The longest time that the event loop was blocked during passes over everything and a preview. */
    longestBlockMs,
    /** The same while workers fail and refuse, see {@link disturb}; null for more subscriptions than are tried. */
    disturbedBlockMs,
    /** A pass over everything that finds everything in place, with its pauses. */
    wholePassMs: Math.round(wholePassMs),
    /** The longest pause of the garbage collection since the start of the process. */
    longestCollectionMs: Math.round(Math.max(...pauses)),
    /** A pass over one changed subscription, P99. */
    oneRowMs: percentile(rows, 0.99),
  };
}

const calls = { measure };
export type DecisionsCalls = typeof calls;

serveCalls(calls);
