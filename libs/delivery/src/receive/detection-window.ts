import type { TimerHandle } from '@detector-cluster/election';
import { pause, toError } from '@detector-cluster/election/internal';
import type { DetectionListeners } from '../interest/detection-listeners.js';
import { decodeMessage, type UnreadableMessageError } from '../log/detection-message.js';
import type { LogEntry, LogStore } from '../log/log-store.js';
import type { Acknowledger } from './acknowledger.js';
import type { ConsumerContext } from './consumer-context.js';
import type { EntryHandler } from './entry-handler.js';
import { HeldBatch } from './held-batch.js';
import { type DecodedEntry, type HeldEntry, type HeldLog } from './held-log.js';
import { SubscriptionQueue } from './subscription-queue.js';

export interface WindowContext extends ConsumerContext {
  readonly acknowledger: Pick<Acknowledger, 'full' | 'confirm'>;
  readonly handler: Pick<EntryHandler, 'handle' | 'deadLetter'>;
  readonly listeners: Pick<DetectionListeners, 'hasGlobal'>;
  readonly store: Pick<LogStore, 'fetch'>;
}

/**
 * The entries that this process has in memory: one serial queue per subscription of a log, the queues side by side.
 *
 * It is bounded, in entries and in bytes, over all and per subscription. Entries for a subscription whose queue is full stay in Redis, and only their ids
 * are kept: one slow callback neither fills the memory nor holds up the other subscriptions. No callback starts unless its log may
 * start one at that instant.
 */
export class DetectionWindow {
  private readonly logs = new Set<HeldLog>();
  /** Entries in memory that are not finished. */
  size = 0;
  /** Bytes of their messages. */
  bytes = 0;
  /** Entries left in Redis because their subscription's queue is full. */
  parked = 0;
  private roomWaiters: (() => void)[] = [];
  private later: TimerHandle | undefined;

  constructor(private readonly context: WindowContext) {
    context.signal.addEventListener('abort', () => this.wakeWaiters(), { once: true });
  }

  /** How many entries may be read. */
  room(): number {
    const { maxParked, window } = this.context.options;
    let unplaced = 0;
    for (const log of this.logs) unplaced += log.unplaced.length;
    // All of these entries may be for a slow subscription, and so may those that have no place yet.
    return this.roomBytes > 0 ? Math.min(window - this.size, maxParked - this.parked - unplaced) : 0;
  }

  /** How many bytes of messages may be read. */
  get roomBytes(): number {
    return this.context.options.windowBytes - this.bytes;
  }

  /** Resolves when there may be room. */
  whenRoom(): Promise<void> {
    return new Promise((resolve) => this.roomWaiters.push(resolve));
  }

  /** Takes batches that were read, in the order of the log. @param masks of what owners before have finished */
  accept(log: HeldLog, entries: readonly LogEntry[], masks: ReadonlyMap<string, string> = new Map()): void {
    if (log.lost) return;
    this.logs.add(log);
    for (const entry of entries) {
      if (log.unreadable.has(entry.id)) continue;
      if (this.acceptBatch(log, entry, masks.get(entry.id) ?? '')) {
        log.cursor = entry.id;
        log.unreadable.clear();
      } else log.unreadable.add(entry.id);
    }
    this.place(log);
  }

  /** Returns whether any of its detections can be understood. */
  private acceptBatch(log: HeldLog, { bytes: size, id, messages }: LogEntry, mask: string): boolean {
    const redelivered = log.catchingUp;
    const batch = new HeldBatch(id, size, messages.length, mask);
    let understood = false;
    for (let place = 0; place < messages.length; place++) {
      if (batch.isFinished(place)) continue;
      const bytes = Buffer.byteLength(messages[place]!);
      const held: HeldEntry = { log, batch, place, bytes, redelivered };
      if (redelivered) log.began(held);
      this.size++;
      this.bytes += bytes;
      const entry = this.decode(held, messages[place]!);
      if (entry === undefined) continue;
      understood = true;
      log.unplaced.push(entry);
    }
    return understood;
  }

  /** Logs may start callbacks now, or something was confirmed. */
  proceed(): void {
    for (const log of this.logs) {
      for (const queue of log.queues.values()) if (queue.entries.length > 0) void this.drive(queue);
      this.place(log);
    }
  }

  /** Forgets all entries of a log, except those whose callbacks run. */
  drop(log: HeldLog): void {
    this.logs.delete(log);
    this.forget(log.unplaced);
    log.unplaced.length = 0;
    for (const queue of log.queues.values()) {
      this.forget(queue.entries);
      this.parked -= queue.parked.length;
      queue.entries.length = 0;
      queue.parked = [];
      this.removeIfIdle(queue);
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
        // The queue may now count as slow.
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

  /** Whether a callback may start. Asks Redis if that is not known. */
  private mayStart(log: HeldLog): boolean {
    if (!log.isListener && !this.context.listeners.hasGlobal) {
      // Entries of a partition are for a process that has a callback for them.
      this.proceedLater();
      return false;
    }
    if (log.mayStart) return true;
    if (!log.lost && !log.draining && log.remainingWait === 0) this.context.acknowledger.confirm(log);
    return false;
  }

  /** Returns whether there was a place for it. */
  private placeEntry(entry: DecodedEntry): boolean {
    const { log } = entry;
    const key = entry.detection.subscriptionIdentifier;
    const queue = log.queues.get(key);
    if (queue === undefined) {
      const waiting = this.handle(entry);
      if (waiting === undefined) return true;
      const made = new SubscriptionQueue(log, key);
      log.queues.set(key, made);
      void this.drive(made, waiting);
    } else if (this.isSlow(queue)) this.park(queue, entry);
    else if (!this.isFull(queue)) {
      queue.entries.push(entry);
      if (this.isFull(queue)) queue.fullSince ??= this.context.clock.now();
      void this.drive(queue);
    } else return false;
    return true;
  }

  /**
   * Undefined for an entry that cannot be read: it becomes a dead letter. Names every field, because spreading two objects costs
   * three times as much, for every detection.
   */
  private decode(held: HeldEntry, text: string): DecodedEntry | undefined {
    try {
      const message = decodeMessage(text);
      return {
        log: held.log,
        batch: held.batch,
        place: held.place,
        bytes: held.bytes,
        redelivered: held.redelivered || message.redelivered,
        detectionId: message.detectionId,
        workerUrl: message.workerUrl,
        receivedAt: message.receivedAt,
        detection: message.detection,
        trace: message.trace,
      };
    } catch (thrown) {
      this.context.handler.deadLetter(held, thrown as UnreadableMessageError);
      this.finish(held);
      return undefined;
    }
  }

  private handle(entry: DecodedEntry): Promise<void> | undefined {
    const { log } = entry;
    log.running++;
    const ended = () => {
      log.running--;
      this.finish(entry);
    };
    const waiting = this.context.handler.handle(entry);
    if (waiting === undefined) ended();
    return waiting?.then(ended);
  }

  private finish(entry: HeldEntry): void {
    this.forget([entry]);
    this.wakeWaiters();
  }

  private forget(entries: readonly HeldEntry[]): void {
    this.size -= entries.length;
    for (const { bytes } of entries) this.bytes -= bytes;
  }

  /** Keeps only where it is. The message is read again when there is a place. */
  private park(queue: SubscriptionQueue, { batch, bytes, log, place, redelivered }: HeldEntry): void {
    const entry = { log, batch, place, bytes, redelivered };
    queue.parked.push(entry);
    this.parked++;
    this.finish(entry);
  }

  private isFull({ entries }: SubscriptionQueue): boolean {
    return (
      entries.length >= this.context.options.windowPerSubscription || bytesOf(entries) >= this.bytesOfOne
    );
  }

  /** Whether at least half of it is free. */
  private isLow({ entries }: SubscriptionQueue): boolean {
    return entries.length <= this.lowWater && bytesOf(entries) * 2 <= this.bytesOfOne;
  }

  /** The bytes for one subscription: the same part of all as in entries. */
  private get bytesOfOne(): number {
    const { window, windowBytes, windowPerSubscription } = this.context.options;
    return (windowBytes * windowPerSubscription) / window;
  }

  /** Its callbacks do not keep up. Its new entries stay in Redis, so that they do not hold up reading. */
  private isSlow(queue: SubscriptionQueue): boolean {
    const { fetching, fullSince, parked, running } = queue;
    if (fetching || parked.length > 0) return true;
    const { clock, options } = this.context;
    return running && fullSince !== undefined && clock.now() - fullSince >= options.slowAfter;
  }

  private get lowWater(): number {
    return Math.floor(this.context.options.windowPerSubscription / 2);
  }

  /** Handles the entries of one subscription one after the other, beginning with one that runs, for as long as it may. */
  private async drive(queue: SubscriptionQueue, first?: Promise<void>): Promise<void> {
    const { acknowledger, signal } = this.context;
    if (queue.running) return;
    const { entries, log } = queue;
    queue.running = true;
    if (first !== undefined) await first;
    while (entries.length > 0 && !acknowledger.full && !signal.aborted && this.mayStart(log)) {
      const waiting = this.handle(entries.shift()!);
      if (waiting !== undefined) await waiting;
      if (this.isLow(queue)) {
        queue.fullSince = undefined;
        void this.refill(queue);
      }
    }
    queue.running = false;
    this.removeIfIdle(queue);
    this.place(log);
  }

  private removeIfIdle(queue: SubscriptionQueue): void {
    if (queue.idle) queue.log.queues.delete(queue.subscriptionIdentifier);
  }

  private async refill(queue: SubscriptionQueue): Promise<void> {
    if (queue.parked.length === 0 || queue.fetching) return;
    const { log } = queue;
    const { clock, onEvent, options, signal, store } = this.context;
    const over = () => signal.aborted || log.lost;
    queue.fetching = true;
    while ((options.window - this.size <= 0 || this.roomBytes <= 0) && !over()) await this.whenRoom();
    const most = Math.min(Math.max(1, this.lowWater), options.window - this.size);
    const mostBytes = Math.min(this.bytesOfOne / 2, this.roomBytes);
    const parked = fitting(queue.parked.slice(0, most), mostBytes);
    const places = parked.map(({ batch, place }) => ({ id: batch.id, place }));
    // Their places are taken before the fetch, because other queues fetch at the same time.
    this.size += parked.length;
    for (const { bytes } of parked) this.bytes += bytes;
    let messages: readonly string[] | undefined;
    while (messages === undefined && !over()) {
      try {
        messages = await store.fetch(log.log, places);
      } catch (error) {
        onEvent({ type: 'redis-error', error: toError(error) });
        await pause(200, clock, signal);
      }
    }
    queue.fetching = false;
    if (over() || messages === undefined) {
      this.forget(parked);
      this.wakeWaiters();
      this.removeIfIdle(queue);
      return;
    }
    queue.parked = queue.parked.slice(parked.length);
    this.parked -= parked.length;
    this.wakeWaiters();
    for (const [i, message] of messages.entries()) {
      // It was dropped because the log was full.
      if (message === '') {
        log.left(parked[i]!);
        this.finish(parked[i]!);
        continue;
      }
      const entry = this.decode(parked[i]!, message);
      if (entry !== undefined) queue.entries.push(entry);
    }
    if (this.isLow(queue)) void this.refill(queue);
    void this.drive(queue);
  }

  private wakeWaiters(): void {
    for (const wake of this.roomWaiters.splice(0)) wake();
  }
}

function bytesOf(entries: readonly HeldEntry[]): number {
  let sum = 0;
  for (const { bytes } of entries) sum += bytes;
  return sum;
}

/** The first entries within the bytes, at least one. */
function fitting(entries: readonly HeldEntry[], most: number): readonly HeldEntry[] {
  let sum = 0;
  const first = entries.findIndex(({ bytes }, i) => (sum += bytes) > most && i > 0);
  return first < 0 ? entries : entries.slice(0, first);
}
