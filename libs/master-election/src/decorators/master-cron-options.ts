import type { MasterJobOptions } from './master-job-options.js';

/** Options of `@MasterCron`. */
export interface MasterCronOptions extends MasterJobOptions {
  /** IANA name, e.g. `Europe/Berlin`. Default `UTC`, because all processes must agree on it. */
  readonly timeZone?: string;
}
