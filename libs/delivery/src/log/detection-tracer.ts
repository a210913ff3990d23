import type { ReceivedDetection, TraceFields } from './detection-message.js';
import type { LogAddress } from './log-address.js';

/** How the sending of a detection to one log ended. */
export type SendOutcome = 'accepted' | 'refused' | 'dropped' | 'discarded';

/** How the callbacks of one entry ended. With `unfinished` the next owner of the log gets the entry. */
export type ProcessOutcome = 'handled' | 'dead-letter' | 'unfinished';

/** The master hands a detection on. */
export interface ReceiveTrace {
  /** For `ReceivedDetection.trace`. */
  readonly context: unknown;
  end(): void;
}

/** A detection on its way to one log. */
export interface SendTrace {
  /** The context to send along; null if there is nothing to continue. */
  readonly fields: TraceFields | null;
  end(outcome: SendOutcome): void;
}

/** The callbacks of one entry, with all attempts. */
export interface ProcessTrace {
  /** Runs callbacks so that their spans belong to it. */
  run<T>(callbacks: () => T): T;
  failed(error: Error, attempt: number): void;
  end(outcome: ProcessOutcome, attempts: number, error?: Error): void;
}

/** The fields of an entry that a trace has. */
export interface TracedEntry {
  readonly workerUrl: string;
  readonly detectionId: string;
  readonly redelivered: boolean;
  readonly trace: TraceFields | null;
  readonly detection: { readonly subscriptionIdentifier: string };
}

/** A detection as its worker sent it. */
export interface TracedFrame {
  readonly subscriptionIdentifier: string;
  readonly [field: string]: unknown;
}

/** Receives every detection on its way from the worker to the callbacks. Must not throw. */
export interface DetectionTracer {
  /** `frame` may name the trace that it belongs to, in `traceparent` and `tracestate`. */
  received(workerUrl: string, detectionId: string, frame: TracedFrame): ReceiveTrace;
  /** The context of a trace that was sent along, for `ReceivedDetection.trace`. */
  resumed(trace: TraceFields): unknown;
  sending(detection: ReceivedDetection, log: LogAddress): SendTrace;
  processing(entry: TracedEntry, log: LogAddress): ProcessTrace;
}
