import type { Clock } from '@detector-cluster/election';
import { deadlineAfter, type ClockInstant } from '@detector-cluster/election/internal';
import { setMaxListeners } from 'node:events';
import type { DetectionMessage } from '../log/detection-message.js';
import type { LogAddress } from '../log/log-address.js';
import type { Rest } from '../log/log-store.js';
import type { HeldBatch } from './held-batch.js';
import type { SubscriptionQueue } from './subscription-queue.js';

/** A detection of a log that this process has read. */
export interface HeldEntry {
  readonly log: HeldLog;
  readonly batch: HeldBatch;
  /** Its line in the batch, from 0. */
  readonly place: number;
  /** Of the message. */
  readonly bytes: number;
  /** May have been handled before. */
  readonly redelivered: boolean;
}

/** A detection whose callbacks are to run. */
export interface DecodedEntry extends HeldEntry, Omit<DetectionMessage, 'redelivered'> {}

/** How long after it was sent a confirmation lets the owner start callbacks. Milliseconds. */
export const OWNER_VALIDITY = 1_000;

/** How long the new owner of an unreleased log waits: 2 % more, for clocks that run at different rates. Milliseconds. */
export const TAKE_OVER_WAIT = OWNER_VALIDITY * 1.02;

export interface HoldOptions {
  readonly log: LogAddress;
  readonly clock: Clock;
  /** Empty for the listener stream of this process, like `epoch`. */
  readonly processId?: string;
  readonly epoch?: string;
  /** Milliseconds until the first callback may start. Default 0, as for a log that its previous owner has released. */
  readonly wait?: number;
  /** The entries of the log may have been handled before. Default false. */
  readonly catchingUp?: boolean;
}

/**
 * One log that this process reads, under one epoch. If a process becomes owner of a partition again, it makes a new object, so that
 * epochs are never mixed.
 */
export class HeldLog {
  readonly log: LogAddress;
  readonly processId: string;
  readonly epoch: string;
  /** Id of the last batch that was read and can be understood. Another program may have written a later one with any id. */
  cursor = '0-0';
  /** Ids after the cursor of batches that cannot be understood. Their detections become dead letters. */
  readonly unreadable = new Set<string>();
  /** Until the end of the log has been reached, owners before may have finished some detections of a batch. */
  readsMasks = true;
  /** Entries that were read and are neither running nor in a queue, in the order of the log. */
  readonly unplaced: DecodedEntry[] = [];
  readonly queues = new Map<string, SubscriptionQueue>();
  /** Finished entries that Redis has not confirmed. */
  unconfirmed = 0;
  running = 0;
  /** Until the end of the log has been reached, entries may have been handled before. */
  catchingUp: boolean;
  /** Detections in the log that this process, or an owner before it, may have begun. */
  private readonly begun = new Set<string>();
  /** Entries are being placed. */
  placing = false;
  private readonly closing = new AbortController();
  private readonly ended = new AbortController();
  readonly drainSignal: AbortSignal = this.closing.signal;
  /** Aborts when this process may no longer work on entries of the log. */
  readonly signal: AbortSignal = this.ended.signal;
  private readonly clock: Clock;
  private readonly mayStartAt: number;
  private confirmedAt: ClockInstant | null = null;

  constructor({ log, clock, processId = '', epoch = '', wait = 0, catchingUp = false }: HoldOptions) {
    this.log = log;
    this.processId = processId;
    this.epoch = epoch;
    this.clock = clock;
    this.catchingUp = catchingUp;
    this.mayStartAt = clock.now() + wait;
    // All callbacks may listen to the first signal, and all retries to the second.
    setMaxListeners(0, this.signal, this.drainSignal);
  }

  /** A listener stream belongs to its process alone: no other process may ever start its callbacks. */
  get isListener(): boolean {
    return this.log.partition === null;
  }

  /** No callback starts any more: the log is to be handed over, or is lost. */
  get draining(): boolean {
    return this.drainSignal.aborted;
  }

  get lost(): boolean {
    return this.signal.aborted;
  }

  /** Milliseconds until the first callback may start. */
  get remainingWait(): number {
    return Math.max(0, this.mayStartAt - this.clock.now());
  }

  /** Whether a callback may start at this instant. */
  get mayStart(): boolean {
    return !this.draining && this.remainingWait === 0 && this.isConfirmed;
  }

  /** Whether Redis has confirmed recently that this process is the owner. */
  get isConfirmed(): boolean {
    if (this.isListener) return true;
    const { clock, confirmedAt } = this;
    return confirmedAt !== null && clock.now() <= deadlineAfter(confirmedAt, OWNER_VALIDITY, clock);
  }

  /** @param sentAt when the confirmed call was sent */
  confirm(sentAt: ClockInstant): void {
    if (this.confirmedAt === null || sentAt.monotonic > this.confirmedAt.monotonic) this.confirmedAt = sentAt;
  }

  /** The detection stays in the log, and may have been begun. */
  began(entry: HeldEntry): void {
    this.begun.add(keyOf(entry));
  }

  /** The detection is not in the log any more. */
  left(entry: HeldEntry): void {
    if (this.begun.size > 0) this.begun.delete(keyOf(entry));
  }

  /** The state in which this log is released when no callback runs here any more. */
  get rest(): Rest {
    return this.catchingUp || this.begun.size > 0 ? 'unfinished' : 'released';
  }

  drain(): void {
    this.closing.abort();
  }

  /** This process is not the owner any more. Idempotent. */
  lose(): void {
    this.closing.abort();
    this.ended.abort();
  }
}

const keyOf = ({ batch, place }: HeldEntry): string => `${batch.id} ${place}`;
