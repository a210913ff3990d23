import type { Sent } from './load-source.js';

/** Which workers send: those of the cluster, or those of the bare loop. */
export type OutletName = 'cluster' | 'bare';

/** Calls of a process that makes detections. During a flood, the parent sends it the number of detections taken. */
export interface SourceCalls {
  steady(outlet: OutletName, first: number, perSecond: number, duration: number): Promise<Sent>;
  flood(outlet: OutletName, first: number, window: number, duration: number): Promise<Sent>;
  /** Processor time used so far, in microseconds. */
  cpu(): Promise<number>;
}

export interface WorkerHostCalls extends SourceCalls {
  /** URLs of the workers. */
  urls(outlet: OutletName): Promise<string[]>;
  /** The next `count` detections of the cluster come from workers that do not hold the subscription. */
  misroute(count: number): Promise<void>;
}
