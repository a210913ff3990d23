import type { Faults } from './faults/fault-plan.js';

/** Injection token of {@link WorkerOptions}. */
export const WORKER_OPTIONS = Symbol('WORKER_OPTIONS');

export interface WorkerOptions {
  readonly workerName: string;
  /** Detections per second of every stream, handed to each of its subscriptions; 0 for none. */
  readonly detectionsPerSecond: number;
  /** Milliseconds. */
  readonly stateReportInterval: number;
  /** What happens to the streams when the last socket has closed: kept for `lingerMs`, or dropped at once. */
  readonly onDisconnect: 'linger' | 'drop';
  readonly lingerMs: number;
  /** Which commands for subscriptions are known: those of version 1 or 2 of the protocol, or both. */
  readonly protocol: 'any' | 'v1' | 'v2';
  /** `off` plays a worker that has never heard of terms. */
  readonly fencing: 'on' | 'off';
  /** Streams the imaginary GPU can take; the reported load is relative to it, nothing is refused. */
  readonly capacity: number;
  /** Whether cameras are connected to; if not, every camera is imagined, and online. */
  readonly openCameras: 'on' | 'off';
  /** Whether the files of models are downloaded. */
  readonly downloadModels: 'on' | 'off';
  /** Whether faults may be changed over HTTP. */
  readonly control: 'on' | 'off';
  /** Milliseconds between `patchSession` messages for every display with a session; null for none. */
  readonly patchSessionEveryMs: number | null;
  /** Faults in force from the start. */
  readonly faults: Faults;
}
