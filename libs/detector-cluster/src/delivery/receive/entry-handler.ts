import type { Clock } from '@detector-cluster/election';
import { pause } from '@detector-cluster/election/util';
import type { DetectionCallback, DetectionMeta } from '../../model/detection.js';
import type { Failure } from '../dead-letters/dead-letter.js';
import type { DetectionListeners } from '../detection-listeners.js';
import type { DetectionMessage, UnreadableMessageError } from '../log/detection-message.js';
import type { ProcessTrace } from '../tracing/detection-tracer.js';
import type { TracerSlot } from '../tracing/tracer-slot.js';
import type { Acknowledger } from './acknowledger.js';
import type { ConsumerEvent } from './consumer-event.js';
import type { ConsumerOptions } from './consumer-options.js';
import type { HeldEntry } from './held-log.js';
import { runCallbacks, type CallbackFailure } from './run-callbacks.js';

/** An entry whose callbacks are to run: what they get, and where it came from. */
export interface DecodedEntry extends HeldEntry, Omit<DetectionMessage, 'redelivered'> {}

export interface HandlerContext {
  readonly processId: string;
  readonly tracing: TracerSlot;
  readonly listeners: DetectionListeners;
  readonly acknowledger: Pick<Acknowledger, 'finished' | 'confirm'>;
  readonly options: ConsumerOptions;
  readonly onEvent: (event: ConsumerEvent) => void;
  /** A detection is done: its age from its arrival at the master, in milliseconds. */
  readonly onHandled: (age: number) => void;
  readonly clock: Clock;
}

/** Runs the callbacks of one entry, repeats those that failed, and ends the entry. */
export class EntryHandler {
  handled = 0;
  redelivered = 0;
  retried = 0;
  deadLetters = 0;
  late = 0;
  lagMs = 0;

  constructor(private readonly context: HandlerContext) {}

  /** Answers synchronously where no callback is asynchronous and none failed. Never rejects. */
  handle(entry: DecodedEntry): Promise<void> | undefined {
    const trace = this.context.tracing.current?.processing(entry, entry.log.log);
    const failures = this.run(entry, this.callbacksFor(entry), 0, trace);
    if (Array.isArray(failures) && failures.length === 0) {
      this.succeed(entry, 1, trace);
      return undefined;
    }
    return this.finish(entry, failures, trace);
  }

  /** Turns an entry that cannot be read into a dead letter. */
  bury(entry: HeldEntry, error: UnreadableMessageError): void {
    this.giveUp(entry, error, 0, error.detectionId, '');
  }

  private callbacksFor({ detection, log }: DecodedEntry): readonly DetectionCallback[] {
    const { listeners } = this.context;
    return log.isListener ? listeners.of(detection.subscriptionIdentifier) : listeners.ofAll();
  }

  private run(
    entry: DecodedEntry,
    callbacks: readonly DetectionCallback[],
    attempt: number,
    trace: ProcessTrace | undefined,
  ): CallbackFailure[] | Promise<CallbackFailure[]> {
    const meta: DetectionMeta = {
      detectionId: entry.detectionId,
      workerUrl: entry.workerUrl,
      receivedAt: entry.receivedAt,
      attempt,
      redelivered: entry.redelivered || attempt > 0,
      signal: entry.log.signal,
    };
    return runCallbacks(callbacks, entry.detection, meta, this.context.options.callbackTimeout, trace);
  }

  private async finish(
    entry: DecodedEntry,
    first: CallbackFailure[] | Promise<CallbackFailure[]>,
    trace: ProcessTrace | undefined,
  ): Promise<void> {
    const { options, onEvent } = this.context;
    const { detectionId } = entry;
    const { subscriptionIdentifier } = entry.detection;
    let failures = await first;
    let attempts = 1;
    for (const { error } of failures) trace?.failed(error, 0);
    for (const [index, wait] of options.retryDelays.entries()) {
      if (failures.length === 0) break;
      for (const { error } of failures)
        onEvent({ type: 'callback-failed', detectionId, subscriptionIdentifier, attempt: index, error });
      if (!(await this.mayRetry(entry, wait))) {
        // It stays in its log, for the next owner.
        entry.log.begun.add(entry.id);
        trace?.end('unfinished', attempts, failures[0]!.error);
        return;
      }
      attempts++;
      this.retried += failures.length;
      const callbacks = failures.map(({ callback }) => callback);
      failures = await this.run(entry, callbacks, index + 1, trace);
      for (const { error } of failures) trace?.failed(error, index + 1);
    }
    if (failures.length === 0) {
      this.succeed(entry, attempts, trace);
      return;
    }
    const { error } = failures[0]!;
    trace?.end('dead-letter', attempts, error);
    this.giveUp(entry, error, attempts, detectionId, subscriptionIdentifier);
  }

  /** Waits, and then until this process may start a callback of the log; false where it may not any more. */
  private async mayRetry({ log }: DecodedEntry, wait: number): Promise<boolean> {
    const { acknowledger, clock } = this.context;
    for (let pauseFor = wait; ; pauseFor = 20) {
      await pause(pauseFor, clock, log.drainSignal);
      if (log.draining) return false;
      if (log.mayStart) return true;
      acknowledger.confirm(log);
    }
  }

  private succeed(entry: DecodedEntry, attempts: number, trace: ProcessTrace | undefined): void {
    trace?.end('handled', attempts);
    this.handled++;
    if (entry.redelivered) this.redelivered++;
    const age = this.context.clock.wallNow() - entry.receivedAt;
    if (age > this.context.options.lateAfter) this.late++;
    // Clocks of two machines differ; an entry without a readable time says nothing.
    if (!Number.isNaN(age)) {
      this.lagMs = Math.max(0, age);
      this.context.onHandled(this.lagMs);
    }
    this.context.acknowledger.finished(entry);
  }

  private giveUp(
    entry: HeldEntry,
    error: Error,
    attempts: number,
    detectionId: string,
    subscriptionIdentifier: string,
  ): void {
    const { acknowledger, clock, onEvent, processId } = this.context;
    this.deadLetters++;
    const failure: Failure = {
      error: error.stack ?? error.message,
      attempts: String(attempts),
      failedAt: new Date(clock.wallNow()).toISOString(),
      processId,
    };
    acknowledger.finished(entry, failure);
    onEvent({ type: 'dead-letter', detectionId, subscriptionIdentifier, error });
  }
}
