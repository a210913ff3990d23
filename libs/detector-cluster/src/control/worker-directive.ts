/**
 * What an operator wants of a worker. `cordoned`: it keeps what it has and gets nothing new. `draining`: it gets nothing
 * new, and what it has moves to others, a few units at a time, make before break; after 5 min without waiting any longer.
 */
export interface WorkerDirective {
  readonly standing: 'cordoned' | 'draining';
  /** ISO 8601. A worker that is drained twice keeps the first. */
  readonly since: string;
}

/** What operators can want of a worker; `open`: that it takes part as usual. */
export type WorkerStanding = WorkerDirective['standing'] | 'open';

/** What has come of a wish. */
export interface WorkerStandingResult {
  /** What is wanted of the worker now. */
  readonly standing: WorkerStanding;
  /** ISO 8601: when that began; null for `open`. */
  readonly since: string | null;
  /** False: an earlier call had already set it. */
  readonly changed: boolean;
}
