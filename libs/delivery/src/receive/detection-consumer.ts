import { systemClock, type Clock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/internal';
import { setMaxListeners } from 'node:events';
import type { DeliveryKeys } from '../log/delivery-keys.js';
import type { DetectionListeners } from '../interest/detection-listeners.js';
import { listenerLog } from '../log/log-address.js';
import type { LogSource, LogStore } from '../log/log-store.js';
import { TracerSlot } from '../log/tracer-slot.js';
import { Acknowledger } from './acknowledger.js';
import {
  consumerDefaults,
  type ConsumerContext,
  type ConsumerEvent,
  type ConsumerOptions,
} from './consumer-context.js';
import type { ConsumerStats } from './consumer-stats.js';
import { DetectionWindow } from './detection-window.js';
import { EntryHandler } from './entry-handler.js';
import { HeldLog } from './held-log.js';
import { LogReader } from './log-reader.js';
import { PartitionHolder } from './partition-holder.js';

/** The ports of a consumer to Redis. */
export interface ConsumerStores {
  /** Reads, on a connection of its own, because it blocks. */
  readonly source: LogSource;
  /** Acknowledges, on a connection of its own, so that nothing delays a confirmation. */
  readonly acknowledgements: LogStore;
  /** Logs are on different nodes. */
  readonly callPerLog: boolean;
  readonly logs: LogStore;
  /** The number of partitions; 0 before the first master. */
  readonly readPartitions: () => Promise<number>;
  /** Calls back when the owner of a partition may have changed. Returns a function that ends it. */
  readonly watch: (onChanged: () => void) => () => void;
  readonly close: () => void;
}

export interface ConsumerDependencies {
  readonly stores: ConsumerStores;
  readonly keys: DeliveryKeys;
  /** Unique for each start of a process: its listener stream is named after it. */
  readonly processId: string;
  readonly listeners: DetectionListeners;
  readonly onEvent?: (event: ConsumerEvent) => void;
  /** The master has considered this process dead, and may have forgotten its listeners. */
  readonly onOwnershipLost?: () => void;
  /** The callbacks of a detection have succeeded; its age from its arrival at the master, by both clocks, in milliseconds. */
  readonly onHandled?: (age: number) => void;
  /** Removes secrets from the text of an error before it is stored with a dead letter. */
  readonly redact: (text: string) => string;
  readonly clock?: Clock;
  readonly tracing?: TracerSlot;
  readonly options?: Partial<ConsumerOptions>;
}

/**
 * The receiving half of delivery, in every process: reads the partitions that this process owns and its listener stream, runs the
 * callbacks, acknowledges.
 *
 * At least once: an entry leaves its log after all its callbacks have succeeded, or as a dead letter. In order per subscription, also
 * across a change of owner: see `HeldLog`.
 */
export class DetectionConsumer {
  private readonly context: ConsumerContext;
  private readonly listener: HeldLog;
  private readonly acknowledger: Acknowledger;
  private readonly handler: EntryHandler;
  private readonly window: DetectionWindow;
  private readonly reader: LogReader;
  private readonly holder: PartitionHolder;
  private readonly stopping = new AbortController();
  private unwatch: (() => void) | undefined;
  private stopped: Promise<void> | undefined;

  constructor(private readonly dependencies: ConsumerDependencies) {
    const { clock = systemClock, keys, listeners, processId, stores } = dependencies;
    const { onOwnershipLost, onEvent = () => undefined, onHandled = () => undefined } = dependencies;
    const { signal } = this.stopping;
    setMaxListeners(0, signal);
    const options = { ...consumerDefaults, ...dependencies.options };
    const context = (this.context = { options, clock, onEvent, signal });
    this.listener = new HeldLog({ log: listenerLog(keys, processId), clock });
    const acknowledger = (this.acknowledger = new Acknowledger({
      ...context,
      store: stores.acknowledgements,
      callPerLog: stores.callPerLog,
      onAnswered: () => this.window.proceed(),
      onHandOver: (log) => void this.holder.handOver(log),
      onRefused: (log) => this.holder.lose(log),
    }));
    const tracing = dependencies.tracing ?? new TracerSlot();
    const handler = new EntryHandler({
      ...context,
      processId,
      tracing,
      listeners,
      acknowledger,
      onHandled,
      redact: dependencies.redact,
    });
    this.handler = handler;
    this.window = new DetectionWindow({ ...context, acknowledger, handler, listeners, store: stores.logs });
    this.reader = new LogReader({
      ...context,
      source: stores.source,
      window: this.window,
      store: stores.logs,
      logs: () => this.logs(),
    });
    this.holder = new PartitionHolder({
      ...context,
      processId,
      keys,
      store: stores.logs,
      readPartitions: stores.readPartitions,
      onReady: () => this.reader.soon(),
      onLost: (log) => {
        this.window.drop(log);
        if (!signal.aborted) onOwnershipLost?.();
      },
    });
  }

  /** Begins to read. Returns at once, even if Redis is unavailable. Idempotent. */
  start(): void {
    if (this.unwatch !== undefined || this.stopping.signal.aborted) return;
    this.unwatch = this.dependencies.stores.watch(() => this.holder.soon());
    this.holder.start();
    this.reader.start();
  }

  /**
   * Stops reading, lets running callbacks finish, confirms what is finished and gives up the partitions, all within `stopDeadline`.
   * The rest stays in its log, for the next owner.
   */
  stop(): Promise<void> {
    return (this.stopped ??= this.shutDown());
  }

  stats(): ConsumerStats {
    const { acknowledger, handler, holder, reader, window } = this;
    return {
      read: reader.read,
      ...handler.counts,
      inWindow: window.size,
      parked: window.parked,
      unconfirmed: acknowledger.unconfirmed,
      partitions: [...holder.logs].map(({ log }) => log.partition!).sort((a, b) => a - b),
    };
  }

  /** How long this process has not been able to read its logs; null while it is. Milliseconds. */
  unreadableFor(): number | null {
    return this.stopping.signal.aborted ? null : this.reader.unreadableFor;
  }

  /** Unfinished entries of the logs of this process. Null if Redis does not answer. */
  async backlog(): Promise<number | null> {
    try {
      const records = await this.dependencies.stores.logs.records([...this.logs()].map(({ log }) => log));
      return records.reduce((sum, { detections }) => sum + detections, 0);
    } catch {
      return null;
    }
  }

  private *logs(): Iterable<HeldLog> {
    yield this.listener;
    yield* this.holder.logs;
  }

  private async shutDown(): Promise<void> {
    const { clock, options } = this.context;
    this.stopping.abort();
    this.unwatch?.();
    const logs = [...this.logs()];
    const deadline = new AbortController();
    const timer = clock.setTimeout(() => deadline.abort(), options.stopDeadline);
    for (const log of logs) log.drain();
    const open = () => logs.some(({ running, unconfirmed }) => running > 0 || unconfirmed > 0);
    while (open() && !deadline.signal.aborted) await pause(5, clock, deadline.signal);
    await Promise.race([
      Promise.all(logs.filter((log) => !log.isListener).map((log) => this.holder.handOver(log))),
      pause(options.stopDeadline, clock, deadline.signal),
    ]);
    clock.clearTimeout(timer);
    deadline.abort();
    for (const log of logs) log.lose();
    this.acknowledger.close();
    this.dependencies.stores.close();
    await this.reader.stopped;
  }
}
