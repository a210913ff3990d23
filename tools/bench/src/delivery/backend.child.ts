// An application as a user would write it: both modules, their metrics, a global listener and some single ones.
import {
  DetectorCluster,
  DetectorClusterModule,
  StaticModelUrlProvider,
  type DesiredCameraSubscription,
  type ImageDetectionResponse,
} from '@detector-cluster/detector-cluster';
import { DetectorClusterMetricsModule } from '@detector-cluster/detector-cluster/metrics';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { MasterElectionMetricsModule } from '@detector-cluster/master-election/metrics';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { register } from 'prom-client';
import { childArgument, serveCalls } from '../support/child-calls.js';
import type { BenchDetection } from './load/detection-frames.js';
import { CONSUMERS, identifierOf, isListenedTo, SUBSCRIPTIONS } from './load/workload.js';
import { DetectionSink } from './receive/detection-sink.js';

/** Arguments of a backend process. */
export interface BackendArguments {
  readonly redis: string;
  readonly prefix: string;
  /** URLs. */
  readonly workers: readonly string[];
  /** Number of this consumer, which selects its listeners; null for the master, which has none. */
  readonly consumer: number | null;
}

/** Prometheus scrapes every 15 s by default. Milliseconds. */
const SCRAPE_INTERVAL = 5_000;

const { redis, prefix, workers, consumer } = childArgument<BackendArguments>();

const subscriptions = Array.from({ length: SUBSCRIPTIONS }, (_, i): DesiredCameraSubscription => ({
  subscriptionIdentifier: identifierOf(i),
  rtspUrl: `rtsp://cameras.example.com/${i}`,
  modelId: 1 + (i % 5),
  modelName: 'vehicle-v2',
  createdAt: '2026-01-01T00:00:00.000Z',
}));

@Module({
  imports: [
    MasterElectionModule.forRoot({ redis, lockName: `${prefix}election`, isGlobal: true }),
    DetectorClusterModule.forRoot({
      redis,
      keyPrefix: prefix,
      // More than needed, so that the planner has a choice.
      workers: workers.map((url) => ({ url, capacity: Math.ceil((1.5 * SUBSCRIPTIONS) / workers.length) })),
      desiredState: { read: () => Promise.resolve({ subscriptions, skipped: [] }) },
      modelUrl: new StaticModelUrlProvider('https://models.example.com'),
    }),
    MasterElectionMetricsModule.register(),
    DetectorClusterMetricsModule.register(),
  ],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
const cluster = app.get(DetectorCluster);
const election = app.get(MasterElection);
const sink = new DetectionSink();
const detectionOf = ({ data }: ImageDetectionResponse) => data.detection as unknown as BenchDetection;

cluster.addGlobalDetectionListener((detection) => sink.take(detectionOf(detection)));
await election.waitForElectionComplete(60_000);
if (consumer !== null)
  await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, (_, subscription) => subscription)
      .filter((subscription) => isListenedTo(consumer, subscription))
      .map((subscription) =>
        cluster.addDetectionListener(identifierOf(subscription), (detection) =>
          sink.takeCopy(detectionOf(detection)),
        ),
      ),
  );
setInterval(() => void register.metrics(), SCRAPE_INTERVAL);

/** Says why the cluster is not complete; null if it is. */
async function problem(): Promise<string | null> {
  const state = await cluster.getState();
  const online = state.workers.filter((worker) => worker.online).length;
  if (online < workers.length) return `${online} of ${workers.length} workers are online`;
  const consumers = state.slaves.filter((slave) => slave.online).length;
  if (consumers < CONSUMERS) return `${consumers} of ${CONSUMERS} consumers are registered`;
  const { subscriptions: known } = await cluster.getSubscriptions();
  const active = known.filter(({ status }) => status === 'active').length;
  return active < SUBSCRIPTIONS ? `${active} of ${SUBSCRIPTIONS} subscriptions are active` : null;
}

const calls = Object.assign(sink, { isMaster: () => election.getIsMaster(), problem });
export type BackendCalls = typeof calls;

serveCalls(calls);
