// A backend with both modules whose desired state is a list of a given length. Needs `--expose-gc`.
import {
  DetectorCluster,
  DetectorClusterModule,
  StaticModelUrlProvider,
  type DesiredCameraSubscription,
  type DetectorClusterState,
} from '@detector-cluster/detector-cluster';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { childArgument, serveCalls } from '../support/child-calls.js';
import { processorWait } from '../support/processor-wait.js';
import type { StateCalls, StateChildArguments, StateSample } from './state-calls.js';

const { redisUrl, prefix, workers, capacity } = childArgument<StateChildArguments>();
let desired = 0;
const standstill = monitorEventLoopDelay({ resolution: 10 });
standstill.enable();

function read() {
  const subscriptions = Array.from({ length: desired }, (_, i): DesiredCameraSubscription => ({
    subscriptionIdentifier: `display-${i};camera-${i}`,
    rtspUrl: `rtsp://cameras.example.com/${i}`,
    modelId: 1 + (i % 5),
    modelName: `model-${1 + (i % 5)}`,
    createdAt: '2026-01-01T00:00:00.000Z',
  }));
  return Promise.resolve({ subscriptions, skipped: [] });
}

@Module({
  imports: [
    MasterElectionModule.forRoot({ redis: redisUrl, lockName: `${prefix}election`, isGlobal: true }),
    DetectorClusterModule.forRoot({
      redis: redisUrl,
      keyPrefix: prefix,
      workers: workers.map((url) => ({ url, capacity })),
      desiredState: { read },
      modelUrl: new StaticModelUrlProvider('https://models.example.com'),
    }),
  ],
})
class StateModule {}

const app = await NestFactory.createApplicationContext(StateModule, { logger: ['error', 'warn'] });
const cluster = app.get(DetectorCluster);

async function fill(subscriptions: number): Promise<void> {
  desired = subscriptions;
  // If this fails, the master retries by itself.
  await cluster.rebalanceWorkers().catch(() => false);
}

async function whole(expected: number): Promise<boolean> {
  const state = await cluster.getState();
  if (!allOnline(state)) return false;
  // A process with very many subscriptions may need longer for an answer than a command's timeout; then it is not complete yet.
  const { subscriptions } = await cluster.getSubscriptions().catch(() => ({ subscriptions: [] }));
  return subscriptions.length === expected && subscriptions.every(({ status }) => status === 'active');
}

function allOnline({ workers: seen, slaves }: DetectorClusterState): boolean {
  return slaves.length > 0 && seen.length === workers.length && seen.every(({ online }) => online);
}

/** Calls at a steady pace regardless of their duration, so that a blocked process shows as callers see it. */
async function sample(count: number, interval: number): Promise<StateSample> {
  const waited = await processorWait(process.pid);
  const start = performance.now();
  const latencies: number[] = [];
  let unanswered = 0;
  const call = async (due: number) => {
    const { totalWorkers } = await cluster.getState();
    if (totalWorkers !== workers.length) unanswered++;
    latencies.push(performance.now() - due);
  };
  const calls: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    const due = start + i * interval;
    while (performance.now() < due) await sleep(due - performance.now());
    calls.push(call(due));
  }
  await Promise.all(calls);
  const waitedBy = await processorWait(process.pid);
  return {
    latencies,
    unanswered,
    waitedMs: waited === null || waitedBy === null ? null : waitedBy - waited,
  };
}

function blocked(): Promise<number> {
  const longest = Math.round(standstill.max / 1e6);
  standstill.reset();
  return Promise.resolve(longest);
}

function heap(): Promise<number> {
  globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return Promise.resolve(heapUsed + external);
}

await app.get(MasterElection).waitForElectionComplete(60_000);
serveCalls<StateCalls>({ fill, whole, sample, blocked, heap });
