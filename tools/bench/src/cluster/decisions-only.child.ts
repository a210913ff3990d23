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

interface Result {
  readonly tracked: ReadonlyMap<string, Tracked>;
  readonly actions: readonly object[];
}

/** Not part of the library's API. */
const built = (path: string): Promise<unknown> =>
  import(new URL(`../../../../libs/detector-cluster/dist/${path}`, import.meta.url).href);
const { reconcileSteps } = (await built('reconcile/reconcile.js')) as {
  reconcileSteps: (input: object) => Generator<void, Result>;
};
const { reconcileSome } = (await built('reconcile/reconcile-some.js')) as {
  reconcileSome: (
    input: object,
    ids: readonly string[],
    streams: readonly object[],
  ) => Generator<void, Result | null>;
};
const { runInSlices } = (await built('util/run-in-slices.js')) as {
  runInSlices: <T>(steps: Generator<void, T>) => Promise<T>;
};

const ROWS = 200;
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
let tracked: ReadonlyMap<string, Tracked> = new Map();
let now = 0;

const input = () => ({
  now: (now += 1_000),
  wallNow: 1_700_000_000_000 + now,
  desired,
  workers,
  tracked,
  moves: new Map(),
  penalties: new Map(),
  plannerState: null,
  unsubscribing: new Map(),
  settling: false,
  mayUnsubscribe: true,
  frozen: false,
  rebalance: false,
});

const blocks = new BlockWatch();
/** The longest that the event loop was blocked during a pass over everything. Milliseconds. */
let longestBlock = 0;

/** One pass over everything, as the master makes it. Returns how long it took, with its pauses, in milliseconds. */
async function pass(): Promise<number> {
  blocks.start();
  const began = performance.now();
  ({ tracked } = await runInSlices(reconcileSteps(input())));
  const took = performance.now() - began;
  blocks.stop();
  longestBlock = Math.max(longestBlock, blocks.take().blockMs);
  return took;
}

/** Durations of planner and reconciler without sockets. Milliseconds. */
async function measure() {
  const planMs = await planCost(size, 1);
  await pass();
  for (const [id, { workerUrl }] of tracked) {
    const worker = byUrl.get(workerUrl)!;
    worker.reported.set(id, { online: true, modelId: desired.get(id)!.spec.modelId, fingerprint: null });
    worker.reportsDue.set(id, 0);
  }
  await pass();
  const wholePassMs = await pass();
  const idle = [...tracked.values()].filter(({ status }) => status !== 'active').length;
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
  // Observers are called in a later turn of the event loop.
  await sleep(10);
  return {
    /** A plan that places everything from scratch, without interruption. */
    planMs: Math.round(planMs),
    /** The longest time that the event loop was blocked during passes over everything. */
    longestBlockMs: Math.round(longestBlock),
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
