/** One tick of a scheduled job; its method gets it together with the lease. */
export interface MasterTick {
  /** Name of the job. */
  readonly job: string;
  /** When it was due, milliseconds since 1970: the identity of the tick, the same on every process. */
  readonly scheduledAt: number;
  /** The tick was due before this process became master and is caught up now. */
  readonly late: boolean;
  /** `MasterJobRegistry.runNow` started it outside of the schedule. */
  readonly manual: boolean;
}
