import { startRedis } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildCalls, type Calls } from '../support/child-calls.js';
import { sum } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import type { BackendArguments, BackendCalls } from './backend.child.js';
import type { BareReaderArguments } from './bare/bare-reader.child.js';
import type { BareRelayArguments, BareRelayCalls } from './bare/bare-relay.child.js';
import { DeliveryPath } from './delivery-path.js';
import type { CountingSinkCalls } from './load/counting-sink.child.js';
import type { SourceCalls } from './load/load-source.js';
import type { WorkerHostCalls } from './load/worker-host.child.js';
import { CONSUMERS, WINDOW } from './load/workload.js';
import type { SinkCalls } from './receive/detection-sink.js';

/** The cluster must be complete, with all subscriptions active, within this time. Milliseconds. */
const TIMEOUT = 60_000;

/** Speed of the worker host when it sends to a process that only counts. */
export interface SenderFigures {
  readonly perSecond: number;
  /** Processor time of the host. Microseconds per detection. */
  readonly cpuUs: number;
}

/** Starts and stops all processes: Redis, the cluster, both bare loops, and the host of the workers. */
export class DeliveryStage {
  private readonly children: { stop(): Promise<void> }[] = [];
  private backends: ChildCalls<BackendCalls>[] = [];
  private workers!: ChildCalls<WorkerHostCalls>;

  /** The application. */
  cluster!: DeliveryPath;
  /** The bare loop whose writer makes the frames itself. */
  bare!: DeliveryPath;
  /** The bare loop whose writer receives the frames from workers. */
  bareWithSockets!: DeliveryPath;
  sender!: SenderFigures;

  private constructor(
    private readonly url: string,
    private readonly redis: Redis,
    private readonly stopRedis: () => Promise<void>,
  ) {}

  static async start(): Promise<DeliveryStage> {
    const service = await startRedis();
    const redis = new Redis(service.url);
    const stage = new DeliveryStage(service.url, redis, () => service.stop());
    try {
      stage.workers = await stage.child<WorkerHostCalls>('worker-host', 'load/worker-host.child.js', null);
      stage.sender = await stage.measureSender();
      await stage.startBareLoops();
      await stage.startCluster();
      return stage;
    } catch (error) {
      await stage.stop();
      throw error;
    }
  }

  /** Workers that do not hold the subscriptions send the next `count` detections, so that the master drops them. */
  misroute(count: number): Promise<void> {
    return this.workers.call('misroute', count);
  }

  /** Throws if the first backend is not the only master: its figures would mix the roles. */
  async assertMaster(): Promise<void> {
    const masters = await Promise.all(this.backends.map((backend) => backend.call('isMaster')));
    if (!masters[0] || masters.filter(Boolean).length !== 1)
      throw new Error('the master changed: the machine is too busy to measure');
  }

  async stop(): Promise<void> {
    // In reverse order: the cluster ends before its workers and Redis.
    while (this.children.length > 0) await this.children.pop()!.stop();
    this.redis.disconnect();
    await this.stopRedis();
  }

  private async startCluster(): Promise<void> {
    const prefix = '{delivery}:';
    const urls = await this.workers.call('urls', 'cluster');
    const backend = async (name: string, consumer: number | null) => {
      const args: BackendArguments = { redis: this.url, prefix, workers: urls, consumer };
      const child = await this.child<BackendCalls>(name, 'backend.child.js', args);
      this.backends.push(child);
      return child;
    };
    const master = await backend('master', null);
    const followers: ChildCalls<BackendCalls>[] = [];
    for (let consumer = 0; consumer < CONSUMERS; consumer++)
      followers.push(await backend(`consumer-${consumer}`, consumer));
    await this.untilComplete(followers[0]!);
    this.cluster = new DeliveryPath({
      source: this.workers as unknown as ChildCalls<SourceCalls>,
      outlet: 'cluster',
      writer: { pid: master.pid, cpu: () => master.call('cpu') },
      sinks: this.backends as unknown as ChildCalls<SinkCalls>[],
      readers: followers as unknown as ChildCalls<SinkCalls>[],
      hasCopies: true,
      redisCpu: () => this.redisCpu(),
    });
  }

  private async startBareLoops(): Promise<void> {
    const loop = async (name: string) => {
      const streams = Array.from({ length: CONSUMERS }, (_, i) => `{delivery-${name}}:${i}`);
      const readers = await Promise.all(
        streams.map((stream, i) => {
          const args: BareReaderArguments = { redis: this.url, stream };
          return this.child<SinkCalls>(`${name}-reader-${i}`, 'bare/bare-reader.child.js', args);
        }),
      );
      const args = { redis: this.url, streams };
      const shared = { sinks: readers, readers, hasCopies: false, redisCpu: () => this.redisCpu() };
      return { args, shared };
    };
    const bare = await loop('bare');
    this.bare = new DeliveryPath({
      ...bare.shared,
      source: await this.child<SourceCalls>('bare-writer', 'bare/bare-writer.child.js', bare.args),
      outlet: 'bare',
      writer: null,
    });
    const relayed = await loop('relay');
    const args: BareRelayArguments = { ...relayed.args, urls: await this.workers.call('urls', 'bare') };
    const relay = await this.child<BareRelayCalls>('relay', 'bare/bare-relay.child.js', args);
    this.bareWithSockets = new DeliveryPath({
      ...relayed.shared,
      source: this.workers as unknown as ChildCalls<SourceCalls>,
      outlet: 'bare',
      writer: { pid: relay.pid, cpu: () => relay.call('cpu') },
    });
  }

  private async measureSender(): Promise<SenderFigures> {
    const { workers } = this;
    const urls = await workers.call('urls', 'bare');
    const sink = await ChildCalls.start<CountingSinkCalls>(
      'counting-sink',
      new URL('load/counting-sink.child.js', import.meta.url),
      urls,
    );
    try {
      sink.listen((count) => workers.send(count));
      let figures: SenderFigures = { perSecond: 0, cpuUs: 0 };
      // The first run warms up.
      for (const duration of [1_000, 2_000]) {
        await sink.call('begin');
        const before = await workers.call('cpu');
        const { count, startedAt, endedAt } = await workers.call('flood', 'bare', 0, WINDOW, duration);
        const used = (await workers.call('cpu')) - before;
        figures = { perSecond: Math.round((count * 1_000) / (endedAt - startedAt)), cpuUs: used / count };
        await sleep(100);
      }
      return figures;
    } finally {
      await sink.stop();
    }
  }

  private async untilComplete(backend: ChildCalls<BackendCalls>): Promise<void> {
    const deadline = performance.now() + TIMEOUT;
    for (;;) {
      const problem = await backend.call('problem');
      if (problem === null) return;
      if (performance.now() > deadline) throw new Error(`the cluster did not become complete: ${problem}`);
      progress(`delivery: ${problem}`);
      await sleep(500);
    }
  }

  private async child<T extends Calls<T>>(name: string, file: string, args: unknown): Promise<ChildCalls<T>> {
    const child = await ChildCalls.start<T>(name, new URL(file, import.meta.url), args);
    this.children.push(child);
    return child;
  }

  /** Processor time that Redis has used. Microseconds. */
  private async redisCpu(): Promise<number> {
    const info = await this.redis.info('cpu');
    return (
      1e6 * sum([...info.matchAll(/^used_cpu_(?:user|sys):(\S+)/gm)].map(([, seconds]) => Number(seconds)))
    );
  }
}
