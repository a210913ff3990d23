// A backend whose desired state is a list in its memory.
import {
  DetectorCluster,
  DetectorClusterModule,
  StaticModelUrlProvider,
  SubscriptionTrigger,
  type DesiredCameraSubscription,
  type DesiredStateSource,
} from '@detector-cluster/detector-cluster';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BlockWatch } from '../support/block-watch.js';
import { childArgument, serveCalls } from '../support/child-calls.js';
import { cpuTime } from '../support/cpu-time.js';
import { sharedClock } from '../support/shared-clock.js';
import { identifierOf, type ScaleBackendArguments, type ScaleBackendCalls } from './scale-calls.js';

const { capacity, prefix, redisUrl, subscriptions, workers } = childArgument<ScaleBackendArguments>();

const rows = Array.from({ length: subscriptions }, (_, i) => rowOf(i, 0));
let filled = false;

function rowOf(subscription: number, version: number): DesiredCameraSubscription {
  return {
    subscriptionIdentifier: identifierOf(subscription),
    rtspUrl: `rtsp://cameras.example.com/${subscription}?v=${version}`,
    modelId: 1 + (subscription % 5),
    modelName: `model-${1 + (subscription % 5)}`,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
}

const indexOf = (display: string): number => Number(display.slice('display-'.length));

const desiredState: DesiredStateSource = {
  read: () => Promise.resolve({ subscriptions: filled ? rows.slice() : [], skipped: [] }),
  readSome: ({ displays = [] }) =>
    Promise.resolve({ subscriptions: displays.map((display) => rows[indexOf(display)]!), skipped: [] }),
};

@Module({
  imports: [
    MasterElectionModule.forRoot({ redis: redisUrl, lockName: `${prefix}election`, isGlobal: true }),
    DetectorClusterModule.forRoot({
      redis: redisUrl,
      keyPrefix: prefix,
      workers: workers.map((url) => ({ url, capacity })),
      desiredState,
      modelUrl: new StaticModelUrlProvider('https://models.example.com'),
    }),
  ],
})
class ScaleModule {}

const app = await NestFactory.createApplicationContext(ScaleModule, { logger: ['error', 'warn'] });
const cluster = app.get(DetectorCluster);
const election = app.get(MasterElection);
const trigger = app.get(SubscriptionTrigger);
await election.waitForElectionComplete(60_000);

const blocks = new BlockWatch();
blocks.start();
let version = 0;

async function heard(masterId: string): Promise<boolean> {
  const state = await cluster.getState();
  const online = state.workers.filter((worker) => worker.online && worker.processId === masterId);
  return online.length === workers.length;
}

async function whole(masterId: string): Promise<boolean> {
  if (!(await heard(masterId))) return false;
  // A process with very many subscriptions may need longer for an answer than a command's timeout.
  const { subscriptions: known } = await cluster.getSubscriptions().catch(() => ({ subscriptions: [] }));
  return known.length === subscriptions && known.every(({ status }) => status === 'active');
}

/** Milliseconds since it was due. */
async function getState(due: number): Promise<number> {
  await cluster.getState();
  return performance.now() - due;
}

/** Calls at a steady pace, timed from the due time of each call, so that a blocked process shows as callers see it. */
async function sampleState(count: number, interval: number): Promise<number[]> {
  const start = performance.now();
  const calls: Promise<number>[] = [];
  for (let i = 0; i < count; i++) {
    const due = start + i * interval;
    while (performance.now() < due) await sleep(due - performance.now());
    calls.push(getState(due));
  }
  return await Promise.all(calls);
}

function change(subscription: number): Promise<number> {
  rows[subscription] = rowOf(subscription, ++version);
  const at = sharedClock();
  trigger.triggerSubscriptionUpdate('display.updated', undefined, { displays: [`display-${subscription}`] });
  return Promise.resolve(at);
}

function heap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { external, heapUsed } = process.memoryUsage();
  return Promise.resolve(heapUsed + external);
}

serveCalls<ScaleBackendCalls>({
  isMaster: () => Promise.resolve(election.getIsMaster()),
  nodeId: () => Promise.resolve(election.getNodeId()),
  fill: async () => {
    filled = true;
    await cluster.regenerate().catch(() => false);
  },
  heard,
  whole,
  change,
  adopt: (subscription) => {
    rows[subscription] = rowOf(subscription, ++version);
    return Promise.resolve();
  },
  sampleState,
  longestBlock: () => Promise.resolve(blocks.take()),
  watchBlocks: (on) => Promise.resolve(on ? blocks.start() : blocks.stop()),
  cpuTime,
  heap,
});
