/** The measurements and their number of runs. */
export interface FailoverOptions {
  /** Runs of each kind of end, with our library. */
  readonly runs: number;
  /** Runs of each kind of end, with each other library; 0 omits them. */
  readonly peerRuns: number;
  /** Election timing of our library when masters are killed. */
  readonly timing: 'default' | 'fast';
}
