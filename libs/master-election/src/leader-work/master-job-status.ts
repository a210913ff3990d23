import type { JobProgress } from '../schedule/job-progress.js';

/** A scheduled job and what this process has done for it. */
export interface MasterJobStatus extends JobProgress {
  readonly name: string;
  /** Name of its election; `default` for that of `forRoot`. */
  readonly election: string;
  /** `Class.method`; the name for a job that was added at run time. */
  readonly method: string;
  /** The list of the `SchedulerRegistry` that has the job. */
  readonly kind: 'cron' | 'interval' | 'timeout';
  /** Its name in the `SchedulerRegistry`: the name, with `<election>:` in front unless it belongs to the election of `forRoot`. */
  readonly schedulerName: string;
  /** This process starts no ticks of the job. */
  readonly paused: boolean;
}
