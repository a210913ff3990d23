import type { BenchOptions } from '../bench-options.js';
import { BenchCluster, startWorkers } from '../cluster/bench-cluster.js';
import { ChildCalls, type Calls } from '../support/child-calls.js';
import { percentile } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import type { BareReaderCalls } from './bare-reader.child.js';
import type { BareRelayArguments, BareRelayCalls } from './bare-relay.child.js';
import { summarise, type Round } from './delivery-figures.js';
import { DeliveryPath } from './delivery-path.js';
import {
  BATCH_DETECTIONS,
  CONSUMERS,
  isListenedTo,
  MANY_WORKERS,
  SUBSCRIPTIONS,
  WORKERS,
} from './workload.js';

/** Rounds by default. */
const RUNS = 5;
/** Detections per second at which latencies are measured. */
const RATE = 10_000;
/** Milliseconds. */
const STEADY = 3_000;
const FLOOD = 2_000;
const BARE = 1_500;
/** New processes run slower at first. Milliseconds. */
const WARM_UP = 2_000;

/**
 * Measures an application, from the frames of workers with 2,000 subscriptions to callbacks in two processes, beside two bare loops with
 * the same frames: XADD in pipelines, XREAD, JSON.parse, XDEL. The entries of one of them have up to 32 detections each.
 *
 * First 20 workers send what is due in one write each. Then 1,000 workers send, each frame in a write of its own.
 *
 * The paths take turns in each round, because the speed of the machine changes.
 */
export async function deliveryBench({ runs = RUNS, misroute }: BenchOptions) {
  const figures = await measure(WORKERS, runs, misroute);
  const manySockets = await measure(MANY_WORKERS, runs, misroute);
  const ok = figures.lost === 0 && manySockets.lost === 0;
  return { bench: 'delivery', ok, rate: RATE, sockets: WORKERS, ...figures, manySockets };
}

async function measure(workers: number, runs: number, misroute: number) {
  const listeners = Array.from({ length: CONSUMERS }, (_, consumer) =>
    Array.from({ length: SUBSCRIPTIONS }, (_, each) => each).filter((each) => isListenedTo(consumer, each)),
  );
  const application = await BenchCluster.start({ workers, subscriptions: SUBSCRIPTIONS, listeners });
  const bareLoops = new BareLoops(application, workers);
  try {
    await application.fill();
    await application.stopWatching();
    const cluster = clusterPath(application);
    const bare = await bareLoops.start(1);
    const batched = await bareLoops.start(BATCH_DETECTIONS);
    for (const path of [cluster, bare, batched]) await path.flood(WARM_UP);
    const rounds: Round[] = [];
    await application.workers.call('misroute', misroute);
    for (let i = 1; i <= runs; i++) {
      const round: Round = {
        steady: await cluster.steady(RATE, STEADY),
        slow: await cluster.steady(RATE / 10, STEADY),
        bareSteady: await bare.steady(RATE, BARE),
        flood: await cluster.flood(FLOOD),
        bare: await bare.flood(BARE),
        batched: await batched.flood(BARE),
      };
      await assertMaster(application);
      rounds.push(round);
      const { steady, flood } = round;
      progress(
        `delivery: ${workers} sockets, round ${i} of ${runs}: ${flood.perSecond}/s, bare ${round.bare.perSecond}/s; ` +
          `P99 ${percentile(steady.latencies, 0.99)} ms at ${RATE}/s`,
      );
    }
    return summarise(rounds);
  } finally {
    await bareLoops.stop();
    await application.stop();
  }
}

function clusterPath(cluster: BenchCluster): DeliveryPath {
  return new DeliveryPath({
    source: cluster.workers,
    writer: cluster.master,
    sinks: [cluster.master, ...cluster.followers],
    readers: cluster.followers,
    hasCopies: true,
    redisCpu: () => cluster.redisCpu(),
  });
}

/** Throws if the first backend is not the only master: its figures would mix the roles. */
async function assertMaster({ master, followers }: BenchCluster): Promise<void> {
  const [leads, ...others] = await Promise.all(
    [master, ...followers].map((backend) => backend.call('isMaster')),
  );
  if (!leads || others.includes(true))
    throw new Error('the master changed: the machine is too busy to measure');
}

/** The processes of bare loops: each has workers of its own, one writer, and readers of a stream each. */
class BareLoops {
  private readonly children: { stop(): Promise<void> }[] = [];

  constructor(
    private readonly cluster: BenchCluster,
    private readonly workers: number,
  ) {}

  /** @param entry most detections in an entry of the streams */
  async start(entry: number): Promise<DeliveryPath> {
    const redis = this.cluster.redisUrl;
    const streams = Array.from({ length: CONSUMERS }, (_, consumer) => `bare:${entry}:${consumer}`);
    const source = await this.keep(startWorkers(`bare-workers-${entry}`, this.workers));
    const readers = await Promise.all(
      streams.map((stream) => this.child<BareReaderCalls>(stream, 'bare-reader.child.js', { redis, stream })),
    );
    const args: BareRelayArguments = { redis, streams, urls: await source.call('urls'), entry };
    const writer = await this.child<BareRelayCalls>(`relay-${entry}`, 'bare-relay.child.js', args);
    const redisCpu = () => this.cluster.redisCpu();
    return new DeliveryPath({ source, writer, sinks: readers, readers, hasCopies: false, redisCpu });
  }

  async stop(): Promise<void> {
    await Promise.all(this.children.map((child) => child.stop()));
  }

  private child<T extends Calls<T>>(name: string, file: string, args: unknown): Promise<ChildCalls<T>> {
    return this.keep(ChildCalls.start<T>(name, new URL(file, import.meta.url), args));
  }

  private async keep<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const child = await starting;
    this.children.push(child);
    return child;
  }
}
