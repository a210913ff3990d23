import type { Clock } from '@detector-cluster/election';
import { deadlineAfter, type ClockInstant } from '@detector-cluster/election/util';
import type { LogAddress } from '../log/log-address.js';
import type { Rest } from '../log/log-store.js';
import { setMaxListeners } from 'node:events';
import type { SubscriptionQueue } from './subscription-queue.js';

/** For so long after it was sent, a confirmation lets its owner start callbacks. Milliseconds. */
export const OWNER_VALIDITY = 1_000;

/** For so long the new owner of a log that was not released waits: 2 % for clocks that run at different rates. Milliseconds. */
export const TAKE_OVER_WAIT = OWNER_VALIDITY * 1.02;

/** How a process holds a log. */
export interface HoldOptions {
  readonly log: LogAddress;
  /** Empty for the listener stream of this process, like `epoch`. */
  readonly processId: string;
  readonly epoch: string;
  /** Milliseconds until the first callback may start: 0 for a log that its owner before has released. */
  readonly wait: number;
  /** What is in the log may have been handled before. */
  readonly catchingUp: boolean;
  readonly clock: Clock;
}

/** An entry in memory. */
export interface HeldEntry {
  readonly log: HeldLog;
  /** `<term>-<sequence>` */
  readonly id: string;
  readonly message: string;
  /** Of the message. */
  readonly bytes: number;
  /** May have been handled before. */
  readonly redelivered: boolean;
}

/**
 * One log that this process reads, under one epoch. A partition whose ownership comes back is another object: nothing of an
 * earlier epoch is taken for one of this.
 */
export class HeldLog {
  readonly log: LogAddress;
  readonly processId: string;
  readonly epoch: string;
  /** Id of the last entry that was read. */
  cursor = '0-0';
  /** Entries that were read and are neither running nor in a queue, in the order of the log. */
  readonly unplaced: HeldEntry[] = [];
  readonly queues = new Map<string, SubscriptionQueue>();
  /** Finished entries that Redis has not confirmed. */
  unconfirmed = 0;
  /** Entries whose callbacks run. */
  running = 0;
  /** What is read may have been handled before, until the end of the log has been reached. */
  catchingUp: boolean;
  /** Ids of entries in the log that this process, or an owner before it, may have begun. */
  readonly begun = new Set<string>();
  /** Entries are being placed. */
  placing = false;
  private readonly closing = new AbortController();
  private readonly ended = new AbortController();
  private readonly clock: Clock;
  private readonly mayStartAt: number;
  private confirmedAt: ClockInstant | null = null;

  constructor({ log, processId, epoch, wait, catchingUp, clock }: HoldOptions) {
    this.log = log;
    this.processId = processId;
    this.epoch = epoch;
    this.clock = clock;
    this.catchingUp = catchingUp;
    this.mayStartAt = clock.now() + wait;
    // Callbacks of all detections may listen to the one, and all their retries to the other.
    setMaxListeners(0, this.ended.signal, this.closing.signal);
  }

  /** A listener stream belongs to its process alone: nobody else may ever start its callbacks. */
  get isListener(): boolean {
    return this.log.partition === null;
  }

  /** No callback starts any more: the log is to be handed over, or is lost. */
  get draining(): boolean {
    return this.closing.signal.aborted;
  }

  get drainSignal(): AbortSignal {
    return this.closing.signal;
  }

  get lost(): boolean {
    return this.ended.signal.aborted;
  }

  /** Aborts when this process may no longer work on what the log has given it. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** Milliseconds until the first callback may start. */
  get remainingWait(): number {
    return Math.max(0, this.mayStartAt - this.clock.now());
  }

  /** Whether a callback may start at this instant. */
  get mayStart(): boolean {
    return !this.draining && this.remainingWait === 0 && this.isConfirmed;
  }

  /** Whether Redis has said lately that this process is the owner. */
  get isConfirmed(): boolean {
    if (this.isListener) return true;
    return (
      this.confirmedAt !== null &&
      this.clock.now() <= deadlineAfter(this.confirmedAt, OWNER_VALIDITY, this.clock)
    );
  }

  /** @param sentAt when the call was sent whose reply has said so */
  confirm(sentAt: ClockInstant): void {
    if (this.confirmedAt === null || sentAt.monotonic > this.confirmedAt.monotonic) this.confirmedAt = sentAt;
  }

  /** What the next owner finds when no callback runs here any more. */
  get rest(): Rest {
    return this.catchingUp || this.begun.size > 0 ? 'unfinished' : 'released';
  }

  /** Idempotent. */
  drain(): void {
    this.closing.abort();
  }

  /** This process is not the owner any more. Idempotent. */
  lose(): void {
    this.closing.abort();
    this.ended.abort();
  }
}
