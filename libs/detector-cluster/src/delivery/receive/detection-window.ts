import type { Clock, TimerHandle } from '@detector-cluster/election';
import { pause, toError } from '@detector-cluster/election/util';
import { decodeMessage, UnreadableMessageError } from '../log/detection-message.js';
import type { DetectionListeners } from '../detection-listeners.js';
import type { LogStore, RawEntry } from '../log/log-store.js';
import type { Acknowledger } from './acknowledger.js';
import type { ConsumerEvent } from './consumer-event.js';
import type { ConsumerOptions } from './consumer-options.js';
import type { DecodedEntry, EntryHandler } from './entry-handler.js';
import type { HeldEntry, HeldLog } from './held-log.js';
import { SubscriptionQueue } from './subscription-queue.js';

export interface WindowContext {
  readonly options: ConsumerOptions;
  readonly acknowledger: Pick<Acknowledger, 'full' | 'confirm'>;
  readonly handler: Pick<EntryHandler, 'handle' | 'bury'>;
  readonly listeners: Pick<DetectionListeners, 'hasGlobal'>;
  readonly store: Pick<LogStore, 'fetch'>;
  readonly onEvent: (event: ConsumerEvent) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The entries that this process has in memory: one serial queue per subscription of a log, the queues side by side.
 *
 * It is bounded, over all and per subscription. Entries for a subscription whose queue is full stay in Redis, and only their ids
 * are kept: one slow callback neither fills the memory nor holds up the other subscriptions. No callback starts unless its log may
 * start one at that instant.
 */
export class DetectionWindow {
  private readonly logs = new Set<HeldLog>();
  private held = 0;
  private parkedCount = 0;
  private runningCount = 0;
  private roomWaiters: (() => void)[] = [];
  private later: TimerHandle | undefined;

  constructor(private readonly context: WindowContext) {
    context.signal.addEventListener('abort', () => this.wakeWaiters(), { once: true });
  }

  /** Entries in memory that are not finished. */
  get size(): number {
    return this.held;
  }

  /** Entries left in Redis because their subscription's queue is full. */
  get parked(): number {
    return this.parkedCount;
  }

  /** Entries whose callbacks run at this moment. */
  get running(): number {
    return this.runningCount;
  }

  /** How many entries may be read. */
  room(): number {
    const { maxParked, window } = this.context.options;
    let unplaced = 0;
    for (const log of this.logs) unplaced += log.unplaced.length;
    // All of it may be for a slow subscription, and so may be what has no place yet.
    return Math.min(window - this.held, maxParked - this.parkedCount - unplaced);
  }

  /** Resolves when there may be room. */
  whenRoom(): Promise<void> {
    return new Promise((resolve) => this.roomWaiters.push(resolve));
  }

  /** Takes entries that were read, in the order of the log. */
  accept(log: HeldLog, entries: readonly RawEntry[]): void {
    if (log.lost) return;
    this.logs.add(log);
    const redelivered = log.catchingUp;
    for (const [id, message] of entries) {
      log.cursor = id;
      if (redelivered) log.begun.add(id);
      const text = message ?? '';
      log.unplaced.push({ log, id, message: text, bytes: Buffer.byteLength(text), redelivered });
      this.held++;
    }
    this.place(log);
  }

  /** Logs may start callbacks now, or something was confirmed. */
  proceed(): void {
    for (const log of this.logs) {
      for (const [key, queue] of log.queues)
        if (!queue.running && queue.entries.length > 0) void this.drive(log, key, queue);
      this.place(log);
    }
  }

  /** Forgets what a log has given, except for what runs. */
  drop(log: HeldLog): void {
    this.logs.delete(log);
    this.held -= log.unplaced.length;
    log.unplaced.length = 0;
    for (const [key, queue] of log.queues) {
      this.held -= queue.entries.length;
      this.parkedCount -= queue.parked.length;
      queue.entries.length = 0;
      queue.parked = [];
      if (queue.idle) log.queues.delete(key);
    }
    this.wakeWaiters();
  }

  /** Handles entries or puts them into their queues, in order, up to the first whose queue is full but moving. */
  private place(log: HeldLog): void {
    const { acknowledger, signal } = this.context;
    if (log.placing || log.unplaced.length === 0) return;
    log.placing = true;
    let placed = 0;
    for (const entry of log.unplaced) {
      if (acknowledger.full || signal.aborted || !this.mayStart(log)) break;
      if (!this.placeEntry(entry)) {
        // The queue may have to be taken for slow.
        this.proceedLater();
        break;
      }
      placed++;
    }
    log.unplaced.splice(0, placed);
    log.placing = false;
  }

  private proceedLater(): void {
    const { clock, options } = this.context;
    this.later ??= clock.setTimeout(() => {
      this.later = undefined;
      this.proceed();
    }, options.slowAfter);
  }

  /** Whether a callback may start; asks Redis where that is not known. */
  private mayStart(log: HeldLog): boolean {
    if (!log.isListener && !this.context.listeners.hasGlobal) {
      // What is in a partition is for a process that has a callback for it.
      this.proceedLater();
      return false;
    }
    if (log.mayStart) return true;
    if (!log.lost && !log.draining && log.remainingWait === 0) this.context.acknowledger.confirm(log);
    return false;
  }

  /** Returns whether there was a place for it. */
  private placeEntry(held: HeldEntry): boolean {
    const entry = this.decode(held);
    if (entry === undefined) return true;
    const { log } = held;
    const key = entry.detection.subscriptionIdentifier;
    const queue = log.queues.get(key);
    if (queue === undefined) {
      const waiting = this.handle(entry);
      if (waiting === undefined) return true;
      const made = new SubscriptionQueue();
      log.queues.set(key, made);
      void this.drive(log, key, made, waiting);
    } else if (this.isSlow(queue)) this.park(queue, held);
    else if (this.freePlaces(queue) > 0) {
      queue.entries.push(entry);
      if (this.freePlaces(queue) === 0) queue.fullSince ??= this.context.clock.now();
      if (!queue.running) void this.drive(log, key, queue);
    } else return false;
    return true;
  }

  /** Undefined for an entry that cannot be read: it becomes a dead letter. */
  private decode(held: HeldEntry): DecodedEntry | undefined {
    try {
      return decodeEntry(held);
    } catch (thrown) {
      this.context.handler.bury(held, thrown as UnreadableMessageError);
      this.finish();
      return undefined;
    }
  }

  private handle(entry: DecodedEntry): Promise<void> | undefined {
    const { log } = entry;
    log.running++;
    this.runningCount++;
    const ended = () => {
      log.running--;
      this.runningCount--;
      this.finish();
    };
    const waiting = this.context.handler.handle(entry);
    if (waiting === undefined) ended();
    return waiting?.then(ended);
  }

  private finish(): void {
    this.held--;
    this.wakeWaiters();
  }

  private park(queue: SubscriptionQueue, { log, id, bytes, redelivered }: HeldEntry): void {
    queue.parked.push({ log, id, bytes, redelivered });
    this.parkedCount++;
    this.finish();
  }

  private freePlaces(queue: SubscriptionQueue): number {
    return this.context.options.windowPerSubscription - queue.entries.length;
  }

  /** Its callbacks do not keep up. What comes for it is left in Redis, so that reading need not wait for it. */
  private isSlow(queue: SubscriptionQueue): boolean {
    if (queue.fetching || queue.parked.length > 0) return true;
    const { clock, options } = this.context;
    return queue.busy && queue.fullSince !== undefined && clock.now() - queue.fullSince >= options.slowAfter;
  }

  private get lowWater(): number {
    return Math.floor(this.context.options.windowPerSubscription / 2);
  }

  /** Handles the entries of one subscription one after the other, beginning with one that runs, for as long as it may. */
  private async drive(
    log: HeldLog,
    key: string,
    queue: SubscriptionQueue,
    first?: Promise<void>,
  ): Promise<void> {
    const { acknowledger, signal } = this.context;
    queue.running = true;
    if (first !== undefined) await this.busy(queue, first);
    while (queue.entries.length > 0 && !acknowledger.full && !signal.aborted && this.mayStart(log)) {
      const waiting = this.handle(queue.entries.shift()!);
      if (waiting !== undefined) await this.busy(queue, waiting);
      if (queue.entries.length <= this.lowWater) {
        queue.fullSince = undefined;
        this.refill(log, key, queue);
      }
    }
    queue.running = false;
    if (queue.idle) log.queues.delete(key);
    this.place(log);
  }

  private async busy(queue: SubscriptionQueue, callbacks: Promise<void>): Promise<void> {
    queue.busy = true;
    await callbacks;
    queue.busy = false;
  }

  private refill(log: HeldLog, key: string, queue: SubscriptionQueue): void {
    if (queue.parked.length > 0 && !queue.fetching)
      void this.unpark(log, key, queue, Math.max(1, this.lowWater));
  }

  private async unpark(log: HeldLog, key: string, queue: SubscriptionQueue, most: number): Promise<void> {
    const { clock, onEvent, options, signal, store } = this.context;
    const over = () => signal.aborted || log.lost;
    queue.fetching = true;
    while (options.window - this.held <= 0 && !over()) await this.whenRoom();
    const parked = queue.parked.slice(0, Math.min(most, options.window - this.held));
    // Their places are taken before the fetch, because other queues fetch at the same time.
    this.held += parked.length;
    let entries: readonly RawEntry[] | undefined;
    while (entries === undefined && !over()) {
      try {
        entries = await store.fetch(
          log.log,
          parked.map(({ id }) => id),
        );
      } catch (error) {
        onEvent({ type: 'redis-error', error: toError(error) });
        await pause(200, clock, signal);
      }
    }
    queue.fetching = false;
    if (over() || entries === undefined) {
      this.held -= parked.length;
      this.wakeWaiters();
      if (queue.idle) log.queues.delete(key);
      return;
    }
    queue.parked = queue.parked.slice(parked.length);
    this.parkedCount -= parked.length;
    this.wakeWaiters();
    for (const [i, [, message]] of entries.entries()) {
      // It was dropped because the log was full.
      if (message === null) {
        log.begun.delete(parked[i]!.id);
        this.finish();
        continue;
      }
      const entry = this.decode({ ...parked[i]!, message });
      if (entry !== undefined) queue.entries.push(entry);
    }
    if (queue.entries.length <= this.lowWater) this.refill(log, key, queue);
    if (!queue.running) void this.drive(log, key, queue);
  }

  private wakeWaiters(): void {
    const waiters = this.roomWaiters.splice(0);
    for (const wake of waiters) wake();
  }
}

/** Names every field: spreading two objects costs three times as much, for every detection. */
function decodeEntry({ log, id, message, bytes, redelivered }: HeldEntry): DecodedEntry {
  const decoded = decodeMessage(message);
  return {
    log,
    id,
    message,
    bytes,
    redelivered: redelivered || decoded.redelivered,
    detectionId: decoded.detectionId,
    workerUrl: decoded.workerUrl,
    receivedAt: decoded.receivedAt,
    detection: decoded.detection,
    trace: decoded.trace,
  };
}
