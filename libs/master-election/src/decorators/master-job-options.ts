import type { LeaderWorkOptions } from './leader-work-options.js';

/** Options of scheduled jobs. All durations in milliseconds. */
export interface MasterJobOptions extends LeaderWorkOptions {
  /** Identifies the job in the cluster: the same in all processes, unique in its election. Default `Class.method`. */
  readonly name?: string;
  /** Skip a tick while a run of this process is still going on. Default true; `@Cron` has false. */
  readonly waitForCompletion?: boolean;
  /** Register the job stopped; `MasterJobRegistry.resume` starts it. Default false. */
  readonly disabled?: boolean;
  /** Skip a tick that cannot start so soon after its time. Default: no limit; a tick can start until the next one is due. */
  readonly threshold?: number;
  /** Start no tick for this time after the start of the application. Default 0. */
  readonly initialDelay?: number;
  /** If ticks were due while there was no master, start the last of them once, late. Default false: they are skipped. */
  readonly catchUp?: boolean;
  /**
   * Abort the signal of a run after this time and stop waiting for it: the next tick starts even if the run has not ended.
   * Default: no limit, and a run that never settles is the last one of this process.
   */
  readonly timeout?: number;
}

/** Options of `@MasterTimeout`. */
export type MasterTimeoutOptions = Pick<MasterJobOptions, 'election' | 'name' | 'disabled' | 'timeout'>;
