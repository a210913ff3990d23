/** One tick of a scheduled job, as its method gets it beside the lease. */
export interface MasterTick {
  /** Name of the job. */
  readonly job: string;
  /** When it was due, milliseconds since 1970: the identity of the tick, the same on every process. */
  readonly scheduledAt: number;
  /** It was due before this process became master, and is caught up now. */
  readonly late: boolean;
  /** It was started by `MasterJobs.runNow`, outside of the schedule. */
  readonly manual: boolean;
}
