// A backend with both modules whose desired state is in a database, or a list in its memory. Needs `--expose-gc`.
import {
  DetectorCluster,
  DetectorClusterModule,
  StaticModelUrlProvider,
  SubscriptionTrigger,
  type DesiredCameraSubscription,
  type DesiredStateSource,
} from '@detector-cluster/detector-cluster';
import { DetectorClusterMetricsModule } from '@detector-cluster/detector-cluster/metrics';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { MasterElectionMetricsModule } from '@detector-cluster/master-election/metrics';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from 'prom-client';
import { DetectionSink, detectionOf } from '../delivery/detection-sink.js';
import { openDisplayClient } from './display-database.js';
import { TimedSource } from './timed-source.js';
import { BlockWatch } from '../support/block-watch.js';
import { childArgument, serveCalls } from '../support/child-calls.js';
import { cpuTime, sharedClock, usedHeap } from '../support/process-figures.js';
import { cameraOf, displayOf, identifierOf, subscriptionOf } from './plan-world.js';

export interface BackendArguments {
  readonly redisUrl: string;
  readonly prefix: string;
  /** Of a database with the displays; without it, the desired state is in memory. */
  readonly databaseUrl?: string | undefined;
  /** URLs of its workers. */
  readonly workers: readonly string[];
  /** How many subscriptions a worker may hold. */
  readonly capacity: number;
  /**
   * Makes it an application as a user would write it: with metrics, a listener for all subscriptions, and one for each of these.
   * Without it, the backend takes no detections.
   */
  readonly listensTo?: readonly number[] | undefined;
}

export interface StateSample {
  /** Duration of each call from its due time. Milliseconds. */
  readonly latencies: readonly number[];
  /** Calls that yielded the safe default, because Redis did not answer in time. */
  readonly unanswered: number;
}

/** Prometheus scrapes every 15 s by default. Milliseconds. */
const SCRAPE_INTERVAL = 5_000;

const { capacity, databaseUrl, listensTo, prefix, redisUrl, workers } = childArgument<BackendArguments>();
let rows: DesiredCameraSubscription[] = [];
let version = 0;

function rowOf(subscription: number): DesiredCameraSubscription {
  return {
    subscriptionIdentifier: identifierOf(subscription),
    rtspUrl: `rtsp://cameras.example.com/${subscription}?v=${version}`,
    modelId: 1 + (subscription % 5),
    modelName: `model-${1 + (subscription % 5)}`,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
}

const inMemory: DesiredStateSource = {
  read: () => Promise.resolve({ subscriptions: rows.slice(), skipped: [] }),
  readSome: ({ displays = [] }) =>
    Promise.resolve({
      subscriptions: displays.map((display) => rows[subscriptionOf(display)]!),
      skipped: [],
    }),
};

const database = databaseUrl === undefined ? null : await openDisplayClient(databaseUrl);
const inDatabase = database === null ? null : new TimedSource(database);

@Module({
  imports: [
    MasterElectionModule.forRoot({ redis: redisUrl, lockName: `${prefix}election`, isGlobal: true }),
    DetectorClusterModule.forRoot({
      redis: redisUrl,
      keyPrefix: prefix,
      workers: workers.map((url) => ({ url, capacity })),
      desiredState: inDatabase ?? inMemory,
      modelUrl: new StaticModelUrlProvider('https://models.example.com'),
    }),
    ...(listensTo ? [MasterElectionMetricsModule.register(), DetectorClusterMetricsModule.register()] : []),
  ],
})
class BackendModule {}

const app = await NestFactory.createApplicationContext(BackendModule, { logger: ['error', 'warn'] });
const cluster = app.get(DetectorCluster);
const election = app.get(MasterElection);
const trigger = app.get(SubscriptionTrigger);
const sink = new DetectionSink();
if (listensTo) cluster.addGlobalDetectionListener((detection) => sink.take(detectionOf(detection)));
let suspensions = 0;
election.on('master-suspended', () => suspensions++);
await election.waitForElectionComplete(60_000);
if (listensTo) {
  const takeCopy: Parameters<DetectorCluster['addDetectionListener']>[1] = (detection) =>
    sink.takeCopy(detectionOf(detection));
  await Promise.all(listensTo.map((each) => cluster.addDetectionListener(identifierOf(each), takeCopy)));
  setInterval(() => void register.metrics(), SCRAPE_INTERVAL);
}

const blocks = new BlockWatch();
blocks.start();

const calls = {
  nodeId: () => election.getNodeId(),
  isMaster: () => election.getIsMaster(),

  /** Makes this many subscriptions desired, from the next {@link calls.regenerate} on. */
  desire(subscriptions: number): void {
    rows = Array.from({ length: subscriptions }, (_, i) => rowOf(i));
  },

  /** If this fails, the master retries by itself. */
  regenerate: () => cluster.regenerate().catch(() => false),

  /** Whether it sees all workers online under the master of this id. */
  async heard(masterId: string): Promise<boolean> {
    const state = await cluster.getState();
    const online = state.workers.filter((worker) => worker.online && worker.processId === masterId);
    return online.length === workers.length;
  },

  /**
   * Whether all workers are online under it as the master, and report this many subscriptions. A master answers this from its memory. The
   * records of all subscriptions, which {@link calls.whole} reads, would cost it more than the takeover.
   */
  async leads(expected: number): Promise<boolean> {
    const own = election.getNodeId();
    const online = (await cluster.getState()).workers.filter(
      // Before it is ready, it sees the records of its predecessor.
      (worker) => worker.online && worker.processId === own,
    );
    const reported = online.reduce((sum, { subscriptionCount }) => sum + subscriptionCount, 0);
    return online.length === workers.length && reported === expected;
  },

  /** Whether it also sees exactly this many subscriptions, all active. */
  async whole(masterId: string, expected: number): Promise<boolean> {
    if (!(await calls.heard(masterId))) return false;
    // A process with very many subscriptions may need longer for an answer than a command's timeout.
    const { subscriptions } = await cluster.getSubscriptions().catch(() => ({ subscriptions: null }));
    return subscriptions?.length === expected && subscriptions.every(({ status }) => status === 'active');
  },

  /** Changes the stream of one subscription. Returns the time on the shared clock. */
  change(subscription: number): number {
    calls.adopt(subscription);
    const at = sharedClock();
    trigger.triggerSubscriptionUpdate('display.updated', undefined, { displays: [displayOf(subscription)] });
    return at;
  },

  /** The same in the database. The times are those before and after the write. */
  async write(subscription: number): Promise<[before: number, after: number]> {
    const displayId = displayOf(subscription);
    const crop = { cropX1: 0, cropY1: 0, cropX2: ++version, cropY2: 1 };
    const at = sharedClock();
    await database!.display.updateMany({ where: { displayId }, data: crop });
    const written = sharedClock();
    trigger.triggerSubscriptionUpdate('display.updated', undefined, { displays: [displayId] });
    return [at, written];
  },

  /** Changes this many cameras in the database, those after the first one, with one statement whose rows are not announced. */
  async writeMany(cameras: number): Promise<void> {
    const cameraIdentifier = { in: Array.from({ length: cameras }, (_, i) => cameraOf(i + 1)) };
    await database!.camera.updateMany({
      where: { cameraIdentifier },
      data: { snapshotInterval: 1_000 + ++version },
    });
    trigger.triggerSubscriptionUpdate('camera.updatedMany');
  },

  /** Durations of the reads of everything that have ended since the last call. Milliseconds. */
  reads: (): number[] => inDatabase!.durations.splice(0),
  /** How often it could not confirm its lease in time, since its start. */
  suspensions: () => suspensions,

  /** Applies a change that another backend makes. */
  adopt(subscription: number): void {
    version++;
    rows[subscription] = rowOf(subscription);
  },

  /**
   * Calls `getState` this often, every `interval` milliseconds regardless of the duration of a call, so that a blocked process shows
   * as callers see it.
   */
  async sample(count: number, interval: number): Promise<StateSample> {
    const start = performance.now();
    const latencies: number[] = [];
    let unanswered = 0;
    const call = async (due: number) => {
      const { totalWorkers } = await cluster.getState();
      if (totalWorkers !== workers.length) unanswered++;
      latencies.push(performance.now() - due);
    };
    const running: Promise<void>[] = [];
    for (let i = 0; i < count; i++) {
      const due = start + i * interval;
      while (performance.now() < due) await sleep(due - performance.now());
      running.push(call(due));
    }
    await Promise.all(running);
    return { latencies, unanswered };
  },

  /** The longest time that its event loop was blocked since it was last asked. */
  longestBlock: () => blocks.take(),
  /** Whether the event loop is watched; it is from the start. */
  watchBlocks: (on: boolean) => (on ? blocks.start() : blocks.stop()),
  /** Processor time of all threads so far. Microseconds. */
  cpu: cpuTime,
  /** Bytes in use after a collection. */
  heap: usedHeap,
  ...sink.calls,
};
export type BackendCalls = typeof calls;

serveCalls(calls);
