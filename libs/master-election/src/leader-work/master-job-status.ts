import type { JobProgress } from '../schedule/job-progress.js';

/** A scheduled job and what this process has done for it. */
export interface MasterJobStatus extends JobProgress {
  readonly name: string;
  /** Name of its election; `default` for that of `forRoot`. */
  readonly election: string;
  /** `Class.method`. */
  readonly method: string;
}
