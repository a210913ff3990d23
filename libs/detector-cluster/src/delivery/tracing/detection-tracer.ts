import type { RoutedDetection } from '../router/routed-detection.js';
import type { TraceFields } from './trace-fields.js';

/** How the sending of a detection to one process ended; `redirected`: it goes to another one. */
export type SendOutcome = 'accepted' | 'redirected' | 'rejected' | 'dropped' | 'discarded' | 'unheard';

/** How the callbacks of one entry ended; `unfinished`: the process stops, and another one gets the entry. */
export type ProcessOutcome = 'handled' | 'dead-letter' | 'lost' | 'unfinished';

/** The master hands a detection on. */
export interface ReceiveTrace {
  /** For `RoutedDetection.trace`. */
  readonly context: unknown;
  end(): void;
}

/** A detection on its way to one process. */
export interface SendTrace {
  /** To be sent along; null where there is nothing to continue. */
  readonly fields: TraceFields | null;
  end(outcome: SendOutcome): void;
}

/** The callbacks of one entry, with all attempts. */
export interface ProcessTrace {
  /** Runs callbacks so that what they trace belongs to it. */
  run<T>(callbacks: () => T): T;
  failed(error: Error, attempt: number): void;
  end(outcome: ProcessOutcome, attempts: number, error?: Error): void;
}

/** What is traced of an entry. */
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

/** Is told of every detection on its way from the worker to the callbacks. Must not throw. */
export interface DetectionTracer {
  /** `frame` may name the trace that it belongs to, in `traceparent` and `tracestate`. */
  received(workerUrl: string, detectionId: string, frame: TracedFrame): ReceiveTrace;
  sending(detection: RoutedDetection, processId: string): SendTrace;
  processing(entry: TracedEntry, processId: string): ProcessTrace;
}
