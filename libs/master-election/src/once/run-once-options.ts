/** Options of `MasterElection.runOnce`. All durations in milliseconds. */
export interface RunOnceOptions {
  /** How long to wait for another process that runs the work. A run in this process is not limited. Default 300,000. */
  readonly timeout?: number;
  /** How long a claim lasts after its process dies. Must be the same in all processes. At least 1,000, default 10,000. */
  readonly leaseTtl?: number;
}
