import type { DetectionAudience } from '../detection-audience.js';
import type { SendTrace } from '../tracing/detection-tracer.js';

/** A detection as it came from a worker. */
export interface RoutedDetection {
  readonly workerUrl: string;
  readonly subscriptionIdentifier: string;
  /** The worker's frame, untouched; a string costs less where the frame was decoded anyway. */
  readonly frame: Buffer | string;
  /** When the master had it, ISO 8601: what lag is measured from. */
  readonly timestamp: string;
  /** Unique, and the same for every process and every attempt: `<term>-<connection>-<sequence>`. */
  readonly detectionId: string;
  /** `ReceiveTrace.context` of the tracer. */
  readonly trace?: unknown;
}

/** A detection on its way to one process. */
export interface OutgoingEntry {
  readonly detection: RoutedDetection;
  readonly audience: DetectionAudience;
  readonly bytes: number;
  readonly trace: SendTrace | undefined;
  redelivered: boolean;
  /** Second half of its id, given when it is sent first and kept for as long as it may have been applied; 0 before. */
  sequence: number;
}
