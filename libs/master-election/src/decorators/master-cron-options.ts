import type { MasterJobOptions } from './master-job-options.js';

/** Options of `@MasterCron`. They include those of `@Cron`. */
export interface MasterCronOptions extends MasterJobOptions {
  /** IANA name, e.g. `Europe/Berlin`. Default `UTC`, because all processes must agree on it. */
  readonly timeZone?: string;
  /** Offset of the expression from UTC in minutes; replaces `timeZone`. */
  readonly utcOffset?: number;
  /** Whether the process can exit while the timer of the job is pending. Default false. */
  readonly unrefTimeout?: boolean;
}
