import { pause, toError } from '@detector-cluster/election/internal';
import type { DetectionCallback, DetectionMeta, ImageDetectionResponse } from '../log/detection.js';
import type { DetectionListeners } from '../interest/detection-listeners.js';
import type { ProcessTrace } from '../log/detection-tracer.js';
import type { TracerSlot } from '../log/tracer-slot.js';
import type { UnreadableMessageError } from '../log/detection-message.js';
import type { Acknowledger } from './acknowledger.js';
import type { ConsumerContext } from './consumer-context.js';
import type { DecodedEntry, HeldEntry } from './held-log.js';

export interface CallbackFailure {
  readonly callback: DetectionCallback;
  readonly error: Error;
}

/** A callback did not settle in time. */
export class CallbackTimeoutError extends Error {
  override readonly name = 'CallbackTimeoutError';

  constructor(readonly timeout: number) {
    super(`the callback did not finish within ${timeout} ms`);
  }
}

/**
 * Runs callbacks side by side and collects those that failed. Returns synchronously if all of them returned synchronously: a
 * plain function needs no promise and no timer.
 */
export function runCallbacks(
  callbacks: readonly DetectionCallback[],
  detection: ImageDetectionResponse,
  meta: DetectionMeta,
  timeout: number,
  trace?: ProcessTrace,
): CallbackFailure[] | Promise<CallbackFailure[]> {
  if (trace !== undefined) return trace.run(() => runCallbacks(callbacks, detection, meta, timeout));
  const failures: CallbackFailure[] = [];
  const running: Promise<void>[] = [];
  for (const callback of callbacks) {
    const failed = (thrown: unknown) => void failures.push({ callback, error: toError(thrown) });
    try {
      const result = callback(detection, meta);
      const promise = result as PromiseLike<unknown> | null | undefined;
      if (typeof promise?.then === 'function') running.push(inTime(promise, timeout).catch(failed));
    } catch (thrown) {
      failed(thrown);
    }
  }
  return running.length === 0 ? failures : Promise.all(running).then(() => failures);
}

async function inTime(promise: PromiseLike<unknown>, timeout: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallbackTimeoutError(timeout)), timeout);
  });
  // A callback that never ends must not keep a stopped process alive.
  timer?.unref();
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface HandlerContext extends ConsumerContext {
  readonly processId: string;
  readonly tracing: TracerSlot;
  readonly listeners: DetectionListeners;
  readonly acknowledger: Pick<Acknowledger, 'finished' | 'confirm'>;
  /** A detection is done: its age from its arrival at the master, in milliseconds. */
  readonly onHandled: (age: number) => void;
  readonly redact: (text: string) => string;
}

/** Runs the callbacks of one entry, repeats those that failed, and ends the entry. */
export class EntryHandler {
  /** Counts, as described in `ConsumerStats`. */
  readonly counts = { handled: 0, redelivered: 0, late: 0, lagMs: 0, retried: 0, deadLetters: 0 };

  constructor(private readonly context: HandlerContext) {}

  /** Returns synchronously if no callback is asynchronous and none failed. Never rejects. */
  handle(entry: DecodedEntry): Promise<void> | undefined {
    const trace = this.context.tracing.current?.processing(entry, entry.log.log);
    const { detection, log } = entry;
    const { listeners } = this.context;
    const callbacks = log.isListener ? listeners.of(detection.subscriptionIdentifier) : listeners.ofAll();
    const failures = this.run(entry, callbacks, 0, trace);
    if (Array.isArray(failures) && failures.length === 0) {
      this.succeed(entry, 1, trace);
      return undefined;
    }
    return this.finish(entry, failures, trace);
  }

  deadLetter(entry: HeldEntry, error: UnreadableMessageError): void {
    this.giveUp(entry, 0, error);
    this.context.onEvent({ type: 'unreadable-entry', log: entry.log.log.stream, id: entry.batch.id, error });
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
    const { onEvent, options } = this.context;
    const { detectionId } = entry;
    const { subscriptionIdentifier } = entry.detection;
    for (let attempt = 0, run = first; ; attempt++) {
      const failures = await run;
      if (failures.length === 0) {
        this.succeed(entry, attempt + 1, trace);
        return;
      }
      for (const { error } of failures) trace?.failed(error, attempt);
      const { error } = failures[0]!;
      const wait = options.retryDelays[attempt];
      if (wait === undefined) {
        trace?.end('dead-letter', attempt + 1, error);
        this.giveUp(entry, attempt + 1, error);
        this.context.onEvent({ type: 'dead-letter', detectionId, subscriptionIdentifier, error });
        return;
      }
      for (const each of failures)
        onEvent({ type: 'callback-failed', detectionId, subscriptionIdentifier, attempt, error: each.error });
      if (!(await this.mayRetry(entry, wait))) {
        // The entry stays in its log, for the next owner.
        entry.log.began(entry);
        trace?.end('unfinished', attempt + 1, error);
        return;
      }
      this.counts.retried += failures.length;
      const callbacks = failures.map(({ callback }) => callback);
      run = this.run(entry, callbacks, attempt + 1, trace);
    }
  }

  /** Waits for the delay, and then until this process may start a callback of the log. Returns false if it never may again. */
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
    const { counts } = this;
    trace?.end('handled', attempts);
    counts.handled++;
    if (entry.redelivered) counts.redelivered++;
    const age = this.context.clock.wallNow() - entry.receivedAt;
    if (age > this.context.options.lateAfter) counts.late++;
    // Clocks of two machines differ, and an entry without a readable time has no age.
    if (!Number.isNaN(age)) {
      counts.lagMs = Math.max(0, age);
      this.context.onHandled(counts.lagMs);
    }
    this.context.acknowledger.finished(entry);
  }

  private giveUp(entry: HeldEntry, attempts: number, error: Error): void {
    const { acknowledger, clock, processId, redact } = this.context;
    this.counts.deadLetters++;
    acknowledger.finished(entry, {
      error: redact(error.stack ?? error.message),
      attempts: String(attempts),
      failedAt: new Date(clock.wallNow()).toISOString(),
      processId,
    });
  }
}
