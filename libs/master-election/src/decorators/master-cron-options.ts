import type { MasterJobOptions } from './master-job-options.js';

/** Options of `@MasterCron`: those of `@Cron`, and more. */
export interface MasterCronOptions extends MasterJobOptions {
  /** IANA name, e.g. `Europe/Berlin`. Default `UTC`, because all processes must agree on it. */
  readonly timeZone?: string;
  /** Minutes by which the clocks of the expression are ahead of UTC; in place of `timeZone`. */
  readonly utcOffset?: number;
  /** Whether the timer of the job lets a process end that does nothing else. Default false. */
  readonly unrefTimeout?: boolean;
}
