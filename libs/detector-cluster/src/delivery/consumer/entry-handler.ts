import type { DetectionMeta } from '../../model/detection.js';
import { delay } from '../../util/delay.js';
import type { DetectionListeners } from '../detection-listeners.js';
import type { Acknowledger } from './acknowledger.js';
import type { ConsumerEvent } from './consumer-event.js';
import type { ConsumerOptions } from './consumer-options.js';
import type { ProcessTrace } from '../tracing/detection-tracer.js';
import type { TracerSlot } from '../tracing/tracer-slot.js';
import { runCallbacks, type CallbackFailure } from './run-callbacks.js';
import type { StreamEntry } from './stream-entry.js';

export interface HandlerContext {
  readonly processId: string;
  readonly tracing: TracerSlot;
  readonly listeners: DetectionListeners;
  readonly acknowledger: Acknowledger;
  readonly options: ConsumerOptions;
  readonly onEvent: (event: ConsumerEvent) => void;
  /** A detection is done: its age from its arrival at the master, in milliseconds. */
  readonly onHandled: (age: number) => void;
  /** Milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Aborts when no callback may be started any more. */
  readonly signal: AbortSignal;
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
  handle(entry: StreamEntry): Promise<void> | undefined {
    const { listeners, options, processId, tracing } = this.context;
    const trace = tracing.current?.processing(entry, processId);
    const callbacks = listeners.select(entry.detection.subscriptionIdentifier, entry.audience);
    const failures = runCallbacks(callbacks, entry.detection, meta(entry, 0), options.callbackTimeout, trace);
    if (Array.isArray(failures) && failures.length === 0) {
      this.succeed(entry, 1, trace);
      return undefined;
    }
    return this.finish(entry, failures, trace);
  }

  private async finish(
    entry: StreamEntry,
    first: CallbackFailure[] | Promise<CallbackFailure[]>,
    trace: ProcessTrace | undefined,
  ): Promise<void> {
    const { options, onEvent, signal } = this.context;
    const { detectionId, detection } = entry;
    const { subscriptionIdentifier } = detection;
    let failures = await first;
    let attempts = 1;
    for (const { error } of failures) trace?.failed(error, 0);
    for (const [index, wait] of options.retryDelays.entries()) {
      if (failures.length === 0) break;
      for (const { error } of failures)
        onEvent({ type: 'callback-failed', detectionId, subscriptionIdentifier, attempt: index, error });
      await delay(wait, signal);
      // Unacknowledged, so it goes to whoever takes over.
      if (signal.aborted) {
        trace?.end('unfinished', attempts, failures[0]!.error);
        return;
      }
      attempts++;
      this.retried += failures.length;
      failures = await runCallbacks(
        failures.map(({ callback }) => callback),
        detection,
        meta(entry, index + 1),
        options.callbackTimeout,
        trace,
      );
      for (const { error } of failures) trace?.failed(error, index + 1);
    }
    if (failures.length === 0) this.succeed(entry, attempts, trace);
    else this.giveUp(entry, failures[0]!.error, trace);
  }

  private succeed(entry: StreamEntry, attempts: number, trace: ProcessTrace | undefined): void {
    trace?.end('handled', attempts);
    this.handled++;
    if (entry.redelivered) this.redelivered++;
    const age = this.context.wallNow() - entry.receivedAt;
    if (age > this.context.options.lateAfter) this.late++;
    // Clocks of two machines differ; an entry without a readable time tells nothing.
    if (!Number.isNaN(age)) {
      this.lagMs = Math.max(0, age);
      this.context.onHandled(this.lagMs);
    }
    this.context.acknowledger.finished(entry.id);
  }

  private giveUp(entry: StreamEntry, error: Error, trace: ProcessTrace | undefined): void {
    const { acknowledger, options, onEvent } = this.context;
    trace?.end('dead-letter', options.retryDelays.length + 1, error);
    this.deadLetters++;
    acknowledger.failed(entry.id, error, options.retryDelays.length + 1);
    onEvent({
      type: 'dead-letter',
      detectionId: entry.detectionId,
      subscriptionIdentifier: entry.detection.subscriptionIdentifier,
      error,
    });
  }
}

function meta(entry: StreamEntry, attempt: number): DetectionMeta {
  return {
    detectionId: entry.detectionId,
    workerUrl: entry.workerUrl,
    attempt,
    redelivered: entry.redelivered || attempt > 0,
  };
}
