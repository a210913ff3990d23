import { blockingSettings, closeRedis, keepSubscribed, openRedis } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import { asError } from '../as-error.js';
import type { ConsumerDependencies } from '../consumer/detection-consumer.js';
import type { ConsumerEvent } from '../consumer/consumer-event.js';
import { consumerDefaults, type ConsumerOptions } from '../consumer/consumer-options.js';
import type { ConsumerStats } from '../consumer/consumer-stats.js';
import { runCallbacks, type CallbackFailure } from '../consumer/run-callbacks.js';
import { ReadOutage } from '../consumer/read-outage.js';
import type { DetectionListeners } from '../detection-listeners.js';
import type { ProcessTrace } from '../tracing/detection-tracer.js';
import { TracerSlot } from '../tracing/tracer-slot.js';
import { decodeMessage, type DetectionMessage } from '../message/detection-message.js';

/** Drops are reported together. Milliseconds. */
const REPORT_DELAY = 200;

/**
 * The receiving half of delivery over pub/sub: at most once. What is published while this process is not subscribed, what
 * exceeds `window` while callbacks run, and what a callback fails on is gone, the latter two counted.
 *
 * Callbacks run as with streams: in order per subscription, subscriptions side by side.
 */
export class ChannelConsumer {
  private readonly subscriber: Redis;
  private readonly registrar: Redis;
  private readonly options: ConsumerOptions;
  private readonly listeners: DetectionListeners;
  private readonly onEvent: (event: ConsumerEvent) => void;
  private readonly onHandled: (age: number) => void;
  private readonly outage: ReadOutage;
  private readonly wallNow: () => number;
  private readonly tracing: TracerSlot;
  private readonly processId: string;
  private readonly onReceiving: () => void;
  private readonly keys: ClusterKeys;
  private subscribed: Promise<void> | undefined;
  private readonly queues = new Map<string, DetectionMessage[]>();
  private readonly stopping = new AbortController();
  private report: NodeJS.Timeout | undefined;
  private unreported = 0;
  private waiting = 0;
  private read = 0;
  private handled = 0;
  private failed = 0;
  private late = 0;
  private lagMs = 0;
  private dropped = 0;

  constructor(dependencies: ConsumerDependencies) {
    const { keys, listeners, now, onEvent, onHandled, onReceiving, options, processId, redis, wallNow } =
      dependencies;
    this.options = { ...consumerDefaults, ...options };
    this.listeners = listeners;
    this.onEvent = onEvent ?? (() => undefined);
    this.onHandled = onHandled ?? (() => undefined);
    this.onReceiving = onReceiving ?? (() => undefined);
    this.keys = keys;
    this.outage = new ReadOutage(now ?? (() => performance.now()));
    this.outage.failed();
    this.wallNow = wallNow ?? Date.now;
    this.tracing = dependencies.tracing ?? new TracerSlot();
    this.processId = processId;
    this.subscriber = openRedis(redis, blockingSettings);
    this.subscriber.on('close', () => this.outage.failed());
    this.subscriber.on('message', (_channel: string, message: string) => this.take(message));
    this.registrar = openRedis(redis, blockingSettings);
  }

  /** Resolves when this process is subscribed. Waits as long as Redis is away. */
  start(): Promise<void> {
    return (this.subscribed ??= this.subscribe());
  }

  /** Takes nothing more and waits for running callbacks within `stopDeadline`. Idempotent. */
  async stop(): Promise<void> {
    this.stopping.abort();
    closeRedis(this.subscriber);
    closeRedis(this.registrar);
    const deadline = performance.now() + this.options.stopDeadline;
    while (this.waiting > 0 && performance.now() < deadline) await sleep(5);
    this.reportDrops();
  }

  stats(): ConsumerStats {
    const { dropped, failed, handled, lagMs, late, read, waiting } = this;
    const counted = { read, handled, late, lagMs, inWindow: waiting, dropped: dropped + failed };
    return { ...counted, redelivered: 0, retried: 0, deadLetters: 0, parked: 0, unconfirmed: 0 };
  }

  /** How long this process has not been subscribed; null while it is. Milliseconds. */
  unreadableFor(): number | null {
    return this.stopping.signal.aborted ? null : this.outage.duration;
  }

  /** Detections in memory: with pub/sub nothing waits elsewhere. */
  backlog(): Promise<number> {
    return Promise.resolve(this.waiting);
  }

  private subscribe(): Promise<void> {
    const { keys, processId } = this;
    return new Promise((resolve) => {
      keepSubscribed(this.subscriber, [keys.slave(processId)], () => {
        this.outage.succeeded();
        // By this set a master finds which processes there were, to forget the interests of those that are gone.
        this.registrar
          .zadd(keys.streams, 'NX', 0, processId)
          .catch((error: unknown) => this.onEvent({ type: 'redis-error', error: asError(error) }));
        this.onReceiving();
        resolve();
      });
    });
  }

  private take(message: string): void {
    this.read++;
    let entry: DetectionMessage;
    try {
      entry = decodeMessage(message);
    } catch (thrown) {
      this.failed++;
      this.onEvent({ type: 'message-unreadable', error: asError(thrown) });
      return;
    }
    if (this.waiting >= this.options.window) {
      this.drop();
      return;
    }
    this.waiting++;
    const { subscriptionIdentifier } = entry.detection;
    const queue = this.queues.get(subscriptionIdentifier);
    if (queue !== undefined) {
      queue.push(entry);
      return;
    }
    const fresh = [entry];
    this.queues.set(subscriptionIdentifier, fresh);
    void this.drive(subscriptionIdentifier, fresh);
  }

  private async drive(key: string, queue: DetectionMessage[]): Promise<void> {
    for (let entry = queue[0]; entry !== undefined; entry = queue[0]) {
      if (!this.stopping.signal.aborted) {
        const running = this.handle(entry);
        if (running !== undefined) await running;
      }
      queue.shift();
      this.waiting--;
    }
    this.queues.delete(key);
  }

  /** Answers synchronously where no callback is asynchronous. Never rejects. */
  private handle(entry: DetectionMessage): Promise<void> | undefined {
    const { detection, detectionId, workerUrl } = entry;
    const trace = this.tracing.current?.processing({ ...entry, redelivered: false }, this.processId);
    const callbacks = this.listeners.select(detection.subscriptionIdentifier, entry.audience);
    const meta = { detectionId, workerUrl, attempt: 0, redelivered: false };
    const failures = runCallbacks(callbacks, detection, meta, this.options.callbackTimeout, trace);
    if (Array.isArray(failures)) return this.finish(entry, failures, trace);
    return failures.then((all) => this.finish(entry, all, trace));
  }

  private finish(
    entry: DetectionMessage,
    failures: readonly CallbackFailure[],
    trace: ProcessTrace | undefined,
  ): undefined {
    const { detectionId } = entry;
    const { subscriptionIdentifier } = entry.detection;
    for (const { error } of failures) {
      trace?.failed(error, 0);
      this.onEvent({ type: 'callback-failed', detectionId, subscriptionIdentifier, attempt: 0, error });
    }
    trace?.end(failures.length > 0 ? 'lost' : 'handled', 1, failures[0]?.error);
    if (failures.length > 0) {
      this.failed++;
      return;
    }
    this.handled++;
    const age = this.wallNow() - entry.receivedAt;
    if (age > this.options.lateAfter) this.late++;
    if (!Number.isNaN(age)) {
      this.lagMs = Math.max(0, age);
      this.onHandled(this.lagMs);
    }
  }

  private drop(): void {
    this.dropped++;
    this.unreported++;
    this.report ??= setTimeout(() => this.reportDrops(), REPORT_DELAY);
  }

  private reportDrops(): void {
    clearTimeout(this.report);
    this.report = undefined;
    if (this.unreported > 0) this.onEvent({ type: 'messages-dropped', count: this.unreported });
    this.unreported = 0;
  }
}
