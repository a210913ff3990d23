import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeRedis, commandSettings, openRedis } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import {
  ChannelConsumer,
  DetectionConsumer,
  DetectionListeners,
  DetectionRouter,
  InterestRegistry,
  type ConsumerEvent,
  type ConsumerOptions,
  type RouterDependencies,
  type RouterEvent,
} from '../../libs/detector-cluster/src/delivery/index.js';
import { clusterKeys } from '../../libs/detector-cluster/src/redis/cluster-keys.js';

/** One callback run of a process. */
export interface Delivered {
  readonly processId: string;
  readonly detectionId: string;
  readonly subscription: string;
  readonly n: number;
  readonly redelivered: boolean;
  readonly attempt: number;
}

export interface TestProcess {
  readonly consumer: DetectionConsumer | ChannelConsumer;
  readonly listeners: DetectionListeners;
  readonly registry: InterestRegistry;
  readonly events: ConsumerEvent[];
  readonly warnings: string[];
}

export interface TestRouter {
  readonly router: DetectionRouter;
  readonly events: RouterEvent[];
  readonly persisted: Record<string, string>[];
}

/** Processes and masters of one test, over keys of their own. */
export class DeliveryHarness {
  private readonly prefix = `{${randomUUID()}}:`;
  readonly keys = clusterKeys(this.prefix);
  readonly redis: Redis;
  /** What the global listeners of all processes got, in order. */
  readonly delivered: Delivered[] = [];
  private term = 1_700_000_000_000;
  private readonly numbers = new Map<string, number>();
  private readonly closing: (() => Promise<unknown>)[] = [];

  constructor(
    readonly url: string,
    private readonly transport: 'streams' | 'pubsub' = 'streams',
  ) {
    this.redis = openRedis(url, { ...commandSettings, enableOfflineQueue: true });
  }

  async process(
    processId: string,
    options: Partial<ConsumerOptions> = {},
    callback?: (delivered: Delivered) => unknown,
    wallNow: () => number = Date.now,
  ): Promise<TestProcess> {
    const listeners = new DetectionListeners();
    const events: ConsumerEvent[] = [];
    const warnings: string[] = [];
    const { url: redis, keys } = this;
    const onEvent = (event: ConsumerEvent) => void events.push(event);
    const Consumer = this.transport === 'pubsub' ? ChannelConsumer : DetectionConsumer;
    const consumer = new Consumer({ redis, keys, processId, listeners, onEvent, wallNow, options });
    listeners.addGlobal(({ subscriptionIdentifier, data }, { detectionId, redelivered, attempt }) => {
      const n = data.detection?.n as number;
      const one = { processId, detectionId, subscription: subscriptionIdentifier, n, redelivered, attempt };
      this.delivered.push(one);
      return callback?.(one);
    });
    const registry = new InterestRegistry({
      redis,
      keys,
      processId,
      subscriptions: () => listeners.subscriptions(),
      onWarning: (message) => void warnings.push(message),
    });
    this.closing.push(
      () => consumer.stop(),
      () => registry.close(),
    );
    await consumer.start();
    return { consumer, listeners, registry, events, warnings };
  }

  /** A process of its own, to be killed; `delivered` gets what its callbacks have finished. */
  async child(processId: string, callbackTime: number): Promise<ChildProcess> {
    const script = new URL('delivery-child.mjs', import.meta.url);
    const child = fork(script, [this.url, this.prefix, processId, String(callbackTime)], { execArgv: [] });
    this.closing.push(async () => {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
        await once(child, 'exit');
    });
    child.on('message', (message) => {
      if (message !== 'ready')
        this.delivered.push({ processId, attempt: 0, ...(message as object) } as Delivered);
    });
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => {
        throw new Error('the child process ended; is the library built?');
      }),
    ]);
    return child;
  }

  /** A master of the next term; it is not started. */
  master(options: Partial<RouterDependencies> = {}): TestRouter {
    const events: RouterEvent[] = [];
    const persisted: Record<string, string>[] = [];
    const { url: redis, keys } = this;
    const router = new DetectionRouter({
      redis,
      keys,
      processId: 'master',
      term: ++this.term,
      isValid: () => true,
      persistAssignments: async (assignments) => {
        persisted.push({ ...assignments });
        await this.redis.multi().del(keys.assignments).hset(keys.assignments, assignments).exec();
      },
      onEvent: (event) => void events.push(event),
      ...options,
      options: { transport: this.transport, ...options.options },
    });
    this.closing.push(() => router.close());
    return { router, events, persisted };
  }

  /** Routes the next detection of one subscription; its number counts from 0 per subscription. */
  send(router: DetectionRouter, workerUrl: string, subscription = `${workerUrl};camera`, more = {}): string {
    const n = this.numbers.get(subscription) ?? 0;
    this.numbers.set(subscription, n + 1);
    const timestamp = new Date().toISOString();
    const detectionId = `${subscription}#${n}`;
    const data = { detection: { n, ...more }, modelId: 1, modelName: 'm' };
    const frame = JSON.stringify({
      type: 'imageDetection',
      subscriptionIdentifier: subscription,
      timestamp,
      data,
    });
    router.route({ workerUrl, subscriptionIdentifier: subscription, frame, timestamp, detectionId });
    return detectionId;
  }

  /** Numbers that were delivered of one subscription, in order. */
  numbersOf(subscription: string): number[] {
    return this.delivered.filter((each) => each.subscription === subscription).map(({ n }) => n);
  }

  async close(): Promise<void> {
    await Promise.all(this.closing.map((close) => close()));
    closeRedis(this.redis);
  }
}

/** Waits until `condition` holds; throws with what `describe` says when it does not within `ms`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => unknown = () => condition.toString(),
  ms = 25_000,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${JSON.stringify(describe())}`);
    await sleep(10);
  }
}

/** 0, 1, …, count - 1. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
