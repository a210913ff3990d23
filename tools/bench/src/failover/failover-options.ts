/** What is measured, and how often. */
export interface FailoverOptions {
  /** Of each kind of end, with ours. */
  readonly runs: number;
  /** Of each kind of end, with each of the others; 0 leaves them out. */
  readonly peerRuns: number;
  /** Timing of ours at which masters are killed. */
  readonly timing: 'default' | 'fast';
}
