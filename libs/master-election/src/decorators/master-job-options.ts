import type { LeaderWorkOptions } from './leader-work-options.js';

/** Options of scheduled jobs. All durations in milliseconds. */
export interface MasterJobOptions extends LeaderWorkOptions {
  /** Identifies the job in the cluster: the same in all processes, unique in its election. Default `Class.method`. */
  readonly name?: string;
  /** When ticks were due while nobody was master, start the last of them once, late. Default false: they are skipped. */
  readonly catchUp?: boolean;
  /** Start a tick although the run before it still goes on. Default false: the tick is skipped. */
  readonly overlap?: boolean;
  /**
   * Abort the signal of a run after this time, and do not wait for it any longer: the next tick starts although it may still go on.
   * Default: no limit, and a run that never settles is the last one of this process.
   */
  readonly timeout?: number;
}
