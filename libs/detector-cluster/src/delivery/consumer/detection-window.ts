import { asError } from '../as-error.js';
import { compareEntryIds } from '../compare-entry-ids.js';
import { delay } from '../../util/delay.js';
import { Gate } from '../gate.js';
import type { Acknowledger } from './acknowledger.js';
import type { ConsumerEvent } from './consumer-event.js';
import type { ConsumerOptions } from './consumer-options.js';
import type { UnreadableMessageError } from '../message/detection-message.js';
import { decodeEntry, type RawEntry, type StreamEntry } from './stream-entry.js';
import { SubscriptionQueue } from './subscription-queue.js';

export interface WindowContext {
  readonly options: ConsumerOptions;
  readonly acknowledger: Acknowledger;
  readonly onEvent: (event: ConsumerEvent) => void;
  /** Runs the callbacks and reports the entry as finished or failed; a promise only where it has to wait. */
  readonly handle: (entry: StreamEntry) => Promise<void> | undefined;
  /** Reads entries again by id; in the order of `ids`, leaving out those that are gone. */
  readonly fetch: (ids: readonly string[]) => Promise<RawEntry[]>;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Decoded when its turn comes: the acknowledgements of those before it travel meanwhile. */
interface UnplacedEntry {
  readonly id: string;
  readonly flat: readonly Buffer[] | null;
  readonly seenBefore: boolean;
  decoded?: StreamEntry;
}

/**
 * The entries that this process has in memory: one serial queue per subscription, the queues side by side.
 *
 * It is bounded, over all and per subscription. Entries for a subscription whose queue is full stay in Redis, only their
 * ids are kept: one slow callback neither fills the memory nor holds up the other subscriptions.
 */
export class DetectionWindow {
  private readonly queues = new Map<string, SubscriptionQueue>();
  private readonly held = new Set<string>();
  /** Whether a parked entry may have been handled before. */
  private readonly parkedIds = new Map<string, boolean>();
  /** Confirmed while entries are read again. */
  private confirmed: Set<string> | undefined;
  private readonly roomGate = new Gate();
  /** Read, but neither handled nor in a queue yet; in the order of the stream. */
  private readonly unplaced: UnplacedEntry[] = [];
  private placingLater = false;
  private unreadableCount = 0;
  private highest = '0-0';
  private runningCount = 0;

  constructor(private readonly context: WindowContext) {
    context.signal.addEventListener('abort', () => this.roomGate.open(), { once: true });
  }

  get size(): number {
    return this.held.size;
  }

  get parked(): number {
    return this.parkedIds.size;
  }

  /** Entries whose callbacks run at this moment. */
  get running(): number {
    return this.runningCount;
  }

  /** Entries that became dead letters because nothing can be made of them. */
  get unreadable(): number {
    return this.unreadableCount;
  }

  /** How many entries may be read. */
  room(): number {
    const { maxParked, readCount, window } = this.context.options;
    if (this.unplaced.length >= readCount) return 0;
    // All of it may be for a slow subscription.
    return Math.min(window - this.held.size, maxParked - this.parkedIds.size - this.unplaced.length);
  }

  /** Resolves when there may be room. */
  async whenRoom(): Promise<void> {
    const timer = setTimeout(() => this.roomGate.open(), this.context.options.slowAfter);
    await this.roomGate.wait();
    clearTimeout(timer);
  }

  /** Takes entries that were never read before, in the order of the stream. Returns how many. */
  accept(entries: readonly RawEntry[]): number {
    return this.take(entries, false);
  }

  /**
   * Takes what Redis believes this process to have, in the order of the stream. Returns how many were new: it knows those that
   * it has, and those that were confirmed after Redis had put them into its reply.
   */
  async acceptAgain(reading: Promise<readonly RawEntry[]>): Promise<number> {
    const confirmed = (this.confirmed = new Set<string>());
    try {
      const entries = await reading;
      return this.take(
        entries.filter(([id]) => !confirmed.has(id.toString('latin1'))),
        true,
      );
    } finally {
      this.confirmed = undefined;
    }
  }

  /** The entry is gone from Redis. */
  forget(id: string): void {
    this.held.delete(id);
    this.confirmed?.add(id);
    this.roomGate.open();
  }

  private take(entries: readonly RawEntry[], again: boolean): number {
    const [first, last] = [entries[0]?.[0].toString('latin1'), entries.at(-1)?.[0].toString('latin1')];
    if (first === undefined || last === undefined) return 0;
    const seenBefore = again || compareEntryIds(first, this.highest) <= 0;
    if (compareEntryIds(last, this.highest) > 0) this.highest = last;
    let fresh = 0;
    for (const [idBytes, flat] of entries) {
      const id = idBytes.toString('latin1');
      if (this.held.has(id) || this.parkedIds.has(id)) continue;
      fresh++;
      this.held.add(id);
      this.unplaced.push({ id, flat, seenBefore });
    }
    if (!this.placingLater) this.place();
    return fresh;
  }

  /**
   * Handles what was read or puts it into its queue, in order, up to the first entry whose queue is full but moving; and not
   * while so much is unconfirmed that no callback may be started.
   */
  private place(): void {
    const { acknowledger, signal } = this.context;
    let placed = 0;
    for (const each of this.unplaced) {
      if (acknowledger.full || signal.aborted) break;
      const entry = (each.decoded ??= this.decode(each));
      if (entry !== undefined && !this.placeEntry(entry)) break;
      placed++;
    }
    this.unplaced.splice(0, placed);
    if (this.unplaced.length > 0 && !signal.aborted) void this.placeLater();
  }

  /** Goes on when something was confirmed, or when a queue that was full may have to be taken for slow. */
  private async placeLater(): Promise<void> {
    this.placingLater = true;
    await this.whenRoom();
    this.placingLater = false;
    this.place();
  }

  /** Returns whether there was a place for it. */
  private placeEntry(entry: StreamEntry): boolean {
    const key = entry.detection.subscriptionIdentifier;
    const queue = this.queues.get(key);
    if (queue === undefined) {
      const waiting = this.context.handle(entry);
      if (waiting !== undefined) void this.drive(key, this.newQueue(key), waiting);
    } else if (this.isSlow(queue)) this.park(queue, entry);
    else if (this.freePlaces(queue) > 0) {
      queue.entries.push(entry);
      if (this.freePlaces(queue) === 0) queue.fullSince ??= this.context.now();
    } else return false;
    return true;
  }

  private newQueue(key: string): SubscriptionQueue {
    const queue = new SubscriptionQueue();
    this.queues.set(key, queue);
    return queue;
  }

  private park(queue: SubscriptionQueue, { id, redelivered }: StreamEntry): void {
    queue.parked.push(id);
    this.held.delete(id);
    this.parkedIds.set(id, redelivered);
  }

  private freePlaces(queue: SubscriptionQueue): number {
    return this.context.options.windowPerSubscription - queue.entries.length;
  }

  /** Its callbacks do not keep up. What comes for it is left in Redis, so that reading need not wait for it. */
  private isSlow(queue: SubscriptionQueue): boolean {
    if (queue.fetching || queue.parked.length > 0) return true;
    const { now, options } = this.context;
    return queue.busy && queue.fullSince !== undefined && now() - queue.fullSince >= options.slowAfter;
  }

  private decode({ id, flat, seenBefore }: UnplacedEntry): StreamEntry | undefined {
    const { acknowledger, onEvent } = this.context;
    if (flat === null) {
      acknowledger.finished(id);
      return undefined;
    }
    try {
      return decodeEntry(id, flat, seenBefore);
    } catch (thrown) {
      const error = thrown as UnreadableMessageError;
      this.unreadableCount++;
      acknowledger.failed(id, error, 0);
      onEvent({ type: 'dead-letter', detectionId: error.detectionId, subscriptionIdentifier: '', error });
      return undefined;
    }
  }

  private get lowWater(): number {
    return Math.floor(this.context.options.windowPerSubscription / 2);
  }

  /** Handles the entries of one subscription one after the other, beginning with one that is under way, until none is left. */
  private async drive(key: string, queue: SubscriptionQueue, first?: Promise<void>): Promise<void> {
    const { acknowledger, handle, signal } = this.context;
    queue.running = true;
    if (first !== undefined) await this.finish(queue, first);
    while (queue.entries.length > 0) {
      while (acknowledger.full && !signal.aborted) await acknowledger.whenConfirmed();
      if (signal.aborted) break;
      const waiting = handle(queue.entries.shift()!);
      if (waiting !== undefined) await this.finish(queue, waiting);
      if (queue.entries.length <= this.lowWater) {
        queue.fullSince = undefined;
        this.refill(key, queue);
      }
    }
    queue.running = false;
    if (queue.idle) this.queues.delete(key);
  }

  private async finish(queue: SubscriptionQueue, callbacks: Promise<void>): Promise<void> {
    this.runningCount++;
    queue.busy = true;
    await callbacks;
    queue.busy = false;
    this.runningCount--;
  }

  private refill(key: string, queue: SubscriptionQueue): void {
    if (queue.parked.length > 0 && !queue.fetching) void this.unpark(key, queue, Math.max(1, this.lowWater));
  }

  private async unpark(key: string, queue: SubscriptionQueue, most: number): Promise<void> {
    const { acknowledger, fetch, onEvent, options, signal } = this.context;
    queue.fetching = true;
    while (options.window - this.held.size <= 0 && !signal.aborted) await this.whenRoom();
    if (signal.aborted) return;
    const ids = queue.parked.slice(0, Math.min(most, options.window - this.held.size));
    for (const id of ids) this.held.add(id);
    let entries: RawEntry[] | undefined;
    while (entries === undefined) {
      try {
        entries = await fetch(ids);
      } catch (error) {
        onEvent({ type: 'redis-error', error: asError(error) });
        await delay(200, signal);
        if (signal.aborted) return;
      }
    }
    const found = new Map(entries.map(([id, flat]) => [id.toString('latin1'), flat]));
    queue.parked = queue.parked.slice(ids.length);
    for (const id of ids) {
      const flat = found.get(id);
      if (flat) queue.entries.push(decodeEntry(id, flat, this.parkedIds.get(id) === true));
      else acknowledger.finished(id);
      this.parkedIds.delete(id);
    }
    queue.fetching = false;
    if (queue.entries.length === 0) this.refill(key, queue);
    if (!queue.running) void this.drive(key, queue);
  }
}
