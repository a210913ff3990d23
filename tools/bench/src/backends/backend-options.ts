/** Which backends are measured, and how often. */
export interface BackendOptions {
  /** How many leaders are ended in each way; ten times as many elections are timed. */
  readonly rounds: number;
  /** Names of backends; empty for all. */
  readonly only: readonly string[];
}
