import {
  closeRedis,
  commandSettings,
  openRedis,
  RedisScript,
  type RedisSource,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import { asError } from '../as-error.js';
import { delay } from '../../util/delay.js';
import { DELIVERY_GROUP } from '../delivery-defaults.js';
import type { DetectionListeners } from '../detection-listeners.js';
import { createStream } from '../scripts/scripts.generated.js';
import { TracerSlot } from '../tracing/tracer-slot.js';
import { Acknowledger } from './acknowledger.js';
import type { ConsumerEvent } from './consumer-event.js';
import { consumerDefaults, type ConsumerOptions } from './consumer-options.js';
import type { ConsumerStats } from './consumer-stats.js';
import { DetectionWindow } from './detection-window.js';
import { EntryHandler } from './entry-handler.js';
import { ReadOutage } from './read-outage.js';
import type { RawEntry } from './stream-entry.js';
import { StreamReader } from './stream-reader.js';

const createScript = new RedisScript<number>(createStream);

export interface ConsumerDependencies {
  readonly redis: RedisSource;
  readonly keys: ClusterKeys;
  /** Unique for each start of a process: its stream is named after it. */
  readonly processId: string;
  readonly listeners: DetectionListeners;
  readonly onEvent?: (event: ConsumerEvent) => void;
  /** Detections can be sent here: at the start, and each time after it had not been so. */
  readonly onReceiving?: () => void;
  /** The callbacks of a detection have succeeded; its age from its arrival at the master, by both clocks, in milliseconds. */
  readonly onHandled?: (age: number) => void;
  /** Milliseconds, monotonic. Default `performance.now`. */
  readonly now?: () => number;
  /** Milliseconds since 1970, to tell how old a detection is. Default `Date.now`. */
  readonly wallNow?: () => number;
  /** Default none. */
  readonly tracing?: TracerSlot;
  readonly options?: Partial<ConsumerOptions>;
}

/**
 * The receiving half of delivery, in every process: reads the process's stream, runs the callbacks, acknowledges.
 *
 * At least once: an entry leaves Redis after all its callbacks have succeeded, or as a dead letter. In order per
 * subscription. What is not finished when the process ends is moved by the master to the next owner.
 */
export class DetectionConsumer {
  private readonly redis: Redis;
  private readonly options: ConsumerOptions;
  private readonly acknowledger: Acknowledger;
  private readonly handler: EntryHandler;
  private readonly window: DetectionWindow;
  private readonly reader: StreamReader;
  private readonly outage: ReadOutage;
  private readonly stopping = new AbortController();
  private readonly onEvent: (event: ConsumerEvent) => void;
  private readonly stream: string;
  private stopped: Promise<void> | undefined;

  constructor(private readonly dependencies: ConsumerDependencies) {
    const { redis, keys, processId, listeners } = dependencies;
    const { signal } = this.stopping;
    this.stream = keys.slave(processId);
    const now = dependencies.now ?? (() => performance.now());
    this.outage = new ReadOutage(now);
    const options = (this.options = { ...consumerDefaults, ...dependencies.options });
    const onEvent = (this.onEvent = dependencies.onEvent ?? (() => undefined));
    this.redis = openRedis(redis, commandSettings);
    const onConfirmed = (id: string) => this.window.forget(id);
    const acknowledger = new Acknowledger({
      redis: this.redis,
      keys,
      processId,
      options,
      onEvent,
      onConfirmed,
    });
    this.acknowledger = acknowledger;
    this.handler = new EntryHandler({
      processId,
      tracing: dependencies.tracing ?? new TracerSlot(),
      listeners,
      acknowledger,
      options,
      onEvent,
      onHandled: dependencies.onHandled ?? (() => undefined),
      wallNow: dependencies.wallNow ?? Date.now,
      signal,
    });
    this.window = new DetectionWindow({
      options,
      acknowledger,
      onEvent,
      handle: (entry) => this.handler.handle(entry),
      fetch: (ids) => this.fetch(ids),
      now,
      signal,
    });
    this.reader = new StreamReader({
      redis,
      stream: this.stream,
      options,
      window: this.window,
      outage: this.outage,
      createStream: async () => {
        onEvent({ type: 'stream-recreated' });
        await this.createStream();
      },
      onEvent,
      signal,
    });
  }

  /** Resolves when the stream exists, so that detections can be sent here. Waits as long as Redis is away. */
  async start(): Promise<void> {
    this.outage.failed();
    await this.createStream();
    if (!this.stopping.signal.aborted) this.reader.start();
  }

  /**
   * Stops reading, lets running callbacks finish and confirms what is finished, both within `stopDeadline`. The rest
   * stays in the stream.
   */
  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  stats(): ConsumerStats {
    return {
      read: this.reader.read,
      handled: this.handler.handled,
      redelivered: this.handler.redelivered,
      retried: this.handler.retried,
      deadLetters: this.handler.deadLetters + this.window.unreadable,
      dropped: 0,
      late: this.handler.late,
      lagMs: this.handler.lagMs,
      inWindow: this.window.size,
      parked: this.window.parked,
      unconfirmed: this.acknowledger.unconfirmed,
    };
  }

  /** How long this process has not been able to read its stream; null while it is. Milliseconds. */
  unreadableFor(): number | null {
    return this.stopping.signal.aborted ? null : this.outage.duration;
  }

  /** Entries in the stream of this process: not read, or not acknowledged. Null where Redis does not answer. */
  async backlog(): Promise<number | null> {
    return await this.redis.xlen(this.stream).catch(() => null);
  }

  private async shutDown(): Promise<void> {
    this.stopping.abort();
    await this.reader.stopped();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.options.stopDeadline);
    while (this.window.running > 0 && !deadline.signal.aborted) await delay(5, deadline.signal);
    await this.acknowledger.settle(deadline.signal);
    clearTimeout(timer);
    this.acknowledger.close();
    closeRedis(this.redis);
  }

  private async createStream(): Promise<void> {
    const { keys, processId } = this.dependencies;
    const { signal } = this.stopping;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await createScript.run(this.redis, [this.stream, keys.streams], [DELIVERY_GROUP, processId]);
        this.dependencies.onReceiving?.();
        return;
      } catch (error) {
        // The first try often comes before the connection stands.
        if (attempt > 2) this.onEvent({ type: 'redis-error', error: asError(error) });
        await delay(Math.min(25 * 2 ** Math.min(attempt, 6), 1_000), signal);
      }
    }
  }

  private async fetch(ids: readonly string[]): Promise<RawEntry[]> {
    const pages = await Promise.all(ids.map((id) => this.redis.xrangeBuffer(this.stream, id, id)));
    return pages.flat() as RawEntry[];
  }
}
