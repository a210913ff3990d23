import { randomUUID } from 'node:crypto';
import { systemClock } from '@detector-cluster/election';
import { slotSource } from '@detector-cluster/election/internal/redis';
import {
  closeRedis,
  commandSettings,
  openRedis,
  SharedSubscriber,
  type RedisSource,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import {
  DetectionConsumer,
  DetectionListeners,
  DetectionRouter,
  generalLogConnection,
  InterestRegistry,
  redisConsumerStores,
  redisRouterStores,
  type LogConnection,
  type ConsumerEvent,
  type ConsumerOptions,
  type DeliveryConnections,
  type RouterDependencies,
  type RouterEvent,
} from '../../libs/delivery/src/index.js';
import { LetterStore } from '../../libs/delivery/src/dead-letters/letter-store.js';
import { partitionOf } from '../../libs/delivery/src/log/log-address.js';
import type { TracerSlot } from '../../libs/delivery/src/log/tracer-slot.js';
import { DeadLetters } from '../../libs/detector-cluster/src/operators/dead-letters.js';
import { FencedStore } from '../../libs/election/src/fence/fenced-store.js';
import { clusterKeys } from '../../libs/detector-cluster/src/shared/cluster-keys.js';
import { redactText } from '../../libs/detector-cluster/src/shared/redact-url.js';
import { DeliveryProcess } from './delivery-process.js';
import { startInstant, type Delivered } from './delivery-order.js';
import { openPatientRedis } from './patient-redis.js';
import { until } from './until.js';

export interface TestProcess {
  readonly processId: string;
  readonly consumer: DetectionConsumer;
  readonly listeners: DetectionListeners;
  readonly registry: InterestRegistry;
  readonly events: ConsumerEvent[];
  readonly warnings: string[];
  /** As when the process is killed: its connections end, and what its callbacks still do is not counted. */
  crash(): void;
}

export interface TestProcessOptions {
  /** Whether it has a global listener. Default true. */
  readonly global?: boolean;
  readonly tracing?: TracerSlot;
  /** Its wall clock. Default that of the machine. */
  readonly wallNow?: () => number;
  /** Its Redis, where that is reached another way. */
  readonly url?: string;
}

export interface TestRouter {
  readonly router: DetectionRouter;
  readonly events: RouterEvent[];
  readonly published: Record<string, string>[];
}

/** Processes and masters of one test, over keys of their own. */
export class DeliveryHarness {
  readonly prefix = `{${randomUUID()}}:`;
  readonly keys = clusterKeys(this.prefix);
  readonly redis: Redis;
  readonly letters: DeadLetters;
  /** What the global listeners of all processes got. */
  readonly delivered: Delivered[] = [];
  /** Term of the last master. */
  term = 1_700_000_000_000;
  private readonly numbers = new Map<string, number>();
  private readonly closing: (() => unknown)[] = [];
  private readonly subscriber: SharedSubscriber;
  /** For the keys of partitions. */
  private readonly logs: LogConnection;

  constructor(readonly source: RedisSource) {
    const slot = this.slot(source);
    this.redis = openPatientRedis(slot);
    this.subscriber = new SharedSubscriber(slot);
    this.logs = generalLogConnection(this.connections(this.redis));
    this.letters = new DeadLetters(new LetterStore(this.redis, this.logs, this.keys));
  }

  /** Of a Redis Cluster, the node that has the slot of the prefix. */
  private slot(source: RedisSource) {
    return slotSource(source, 'keyPrefix', this.prefix);
  }

  /** What the parts of one process share. */
  private connections(commands: Redis, source = this.source): DeliveryConnections {
    const { keys, subscriber } = this;
    return { source, commands, subscriber, keys, onError: () => undefined };
  }

  /** A connection for logs that is closed with the harness. */
  private general(connections: DeliveryConnections): LogConnection {
    const general = generalLogConnection(connections);
    this.closing.push(() => general.close());
    return general;
  }

  private commands(source = this.source): Redis {
    const redis = openRedis(this.slot(source), commandSettings);
    this.closing.push(() => closeRedis(redis));
    return redis;
  }

  async process(
    processId: string,
    options: Partial<ConsumerOptions> = {},
    callback?: (delivered: Delivered, signal: AbortSignal) => unknown,
    { global = true, tracing, wallNow = systemClock.wallNow, url }: TestProcessOptions = {},
  ): Promise<TestProcess> {
    const listeners = new DetectionListeners();
    const events: ConsumerEvent[] = [];
    const warnings: string[] = [];
    const { keys } = this;
    const commands = this.commands(url);
    const connections = this.connections(commands, url);
    const registry = new InterestRegistry({
      redis: commands,
      keys,
      processId,
      listeners,
      onWarning: (message) => void warnings.push(message),
      timeout: 1,
    });
    const stores = redisConsumerStores(connections, this.general(connections));
    let crashed = false;
    const consumer = new DetectionConsumer({
      stores,
      keys,
      processId,
      listeners,
      redact: redactText,
      onEvent: (event) => void events.push(event),
      onOwnershipLost: () => registry.repeat(),
      clock: { ...systemClock, wallNow },
      tracing,
      options: { lookInterval: 200, ...options },
    });
    if (global)
      listeners.addGlobal(
        ({ subscriptionIdentifier, data }, { detectionId, redelivered, attempt, signal }) => {
          if (crashed) return new Promise(() => undefined);
          const n = data.detection?.n as number;
          const one = {
            processId,
            detectionId,
            subscription: subscriptionIdentifier,
            n,
            redelivered,
            attempt,
            at: startInstant(),
          };
          this.delivered.push(one);
          return callback?.(one, signal);
        },
      );
    const stop = () => {
      registry.close();
      return consumer.stop();
    };
    this.closing.unshift(stop);
    consumer.start();
    // A connection to a Redis Cluster refuses commands until it knows the nodes.
    await until(() => this.logs.redis.status === 'ready');
    await registry.announce();
    // There may be no master to confirm it; one that begins now must find it.
    await until(async () => (await this.redis.hexists(keys.interests, processId)) === 1 || !global);
    const crash = () => {
      crashed = true;
      registry.close();
      stores.close();
      closeRedis(commands);
    };
    return { processId, consumer, listeners, registry, events, warnings, crash };
  }

  /** Announces what the process listens to, and resolves when a master routes by it. */
  async announced({ processId, registry }: TestProcess): Promise<void> {
    await registry.announce();
    const { interests, interestsSeen } = this.keys;
    await until(async () => {
      const [record, seen] = await Promise.all([
        this.redis.hget(interests, processId),
        this.redis.hget(interestsSeen, processId),
      ]);
      return record !== null && (JSON.parse(record) as { version: number }).version === Number(seen);
    });
  }

  /** A process of its own, to be killed or frozen; callbacks take `callbackTime` ms. */
  async child(
    processId: string,
    callbackTime: number,
    options: Partial<ConsumerOptions> = {},
  ): Promise<DeliveryProcess> {
    const { prefix, source: url } = this;
    if (typeof url !== 'string') throw new Error('a child process needs the URL of Redis');
    const child = await DeliveryProcess.start(
      { url, prefix, processId, callbackTime, options: { lookInterval: 200, ...options } },
      (delivered) => void this.delivered.push(delivered),
    );
    this.closing.push(() => child.kill());
    return child;
  }

  /** A master of the next term; it is not started. */
  master({
    options,
    url,
    ...more
  }: Partial<Omit<RouterDependencies, 'stores'>> & { readonly url?: string } = {}): TestRouter {
    const events: RouterEvent[] = [];
    const published: Record<string, string>[] = [];
    const { keys } = this;
    const connections = this.connections(this.commands(url), url);
    const term = ++this.term;
    const store = new FencedStore(connections.commands, keys.fence, term);
    const router = new DetectionRouter({
      stores: redisRouterStores(connections, this.general(connections), store, options?.acceptance?.timeout),
      keys,
      processId: 'master',
      term,
      isValid: () => true,
      publishAssignments: async (assignments, changed) => {
        if (!changed) return;
        published.push({ ...assignments });
        await connections.commands.publish(keys.partitionsChanged, 'granted');
      },
      onEvent: (event) => void events.push(event),
      options: { rebalanceInterval: 20, ...options },
      ...more,
    });
    this.closing.unshift(() => router.close());
    return { router, events, published };
  }

  /** Routes the next detection of one subscription; its number counts from 0 per subscription. */
  send(router: DetectionRouter, workerUrl: string, subscription = `${workerUrl};camera`, more = {}): string {
    const n = this.numbers.get(subscription) ?? 0;
    this.numbers.set(subscription, n + 1);
    const receivedAt = Date.now();
    const detectionId = `${subscription}#${n}`;
    const data = { detection: { n, ...more }, modelId: 1, modelName: 'm' };
    const timestamp = new Date(receivedAt).toISOString();
    const frame = JSON.stringify({
      type: 'imageDetection',
      subscriptionIdentifier: subscription,
      timestamp,
      data,
    });
    router.route({ detectionId, workerUrl, subscriptionIdentifier: subscription, receivedAt, frame });
    return detectionId;
  }

  /** Unfinished detections of all partitions. */
  async backlog(): Promise<number> {
    const count = Number(await this.logs.redis.hget(this.keys.partitions, 'count'));
    const lengths = await Promise.all(
      Array.from({ length: count }, async (_, partition) => {
        const stream = this.keys.partition(partition);
        if ((await this.logs.redis.xlen(stream)) === 0) return 0;
        return Math.max(1, Number(await this.logs.redis.hget(`${stream}:owner`, 'detections')));
      }),
    );
    return lengths.reduce((sum, length) => sum + length, 0);
  }

  /** Partition → owner, by the owner records. */
  async owners(): Promise<string[]> {
    const count = Number(await this.logs.redis.hget(this.keys.partitions, 'count'));
    return await Promise.all(
      Array.from(
        { length: count },
        async (_, partition) =>
          (await this.logs.redis.hget(`${this.keys.partition(partition)}:owner`, 'process')) ?? '',
      ),
    );
  }

  /** Names of subscriptions, each in a partition of its own that the process owns. */
  async subscriptionsAt(processId: string, count: number): Promise<string[]> {
    const owners = await this.owners();
    const byPartition = new Map<number, string>();
    for (let i = 0; i < 100 * owners.length && byPartition.size < count; i++) {
      const subscription = `d${i};c`;
      const partition = partitionOf(subscription, owners.length);
      if (owners[partition] === processId && !byPartition.has(partition))
        byPartition.set(partition, subscription);
    }
    if (byPartition.size < count) throw new Error(`${processId} owns ${byPartition.size} partitions`);
    return [...byPartition.values()];
  }

  /** Waits until every partition has an owner; returns the owners. */
  async assigned(): Promise<string[]> {
    let owners: string[] = [];
    await until(async () => {
      owners = await this.owners();
      return owners.length > 0 && owners.every((owner) => owner !== '');
    });
    return owners;
  }

  /** The owner record of a partition. */
  async record(partition: number): Promise<Record<string, string>> {
    return await this.logs.redis.hgetall(`${this.keys.partition(partition)}:owner`);
  }

  /** Numbers whose callbacks started of one subscription, in the order of the starts. */
  numbersOf(subscription: string): number[] {
    return this.delivered
      .filter((each) => each.subscription === subscription)
      .toSorted((a, b) => a.at - b.at)
      .map(({ n }) => n);
  }

  /** What one process got, in the order of the starts. */
  deliveredTo(processId: string): Delivered[] {
    return this.delivered.filter((each) => each.processId === processId).toSorted((a, b) => a.at - b.at);
  }

  async close(): Promise<void> {
    for (const close of this.closing) await close();
    this.subscriber.close();
    this.logs.close();
    closeRedis(this.redis);
  }
}

/** Workloads of processes that own no partitions. */
export function idle(...processIds: string[]): ReadonlyMap<string, number> {
  return new Map(processIds.map((processId) => [processId, 0]));
}

/** 0, 1, …, count - 1. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
