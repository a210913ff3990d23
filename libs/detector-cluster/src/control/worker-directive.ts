/**
 * An operator's directive for a worker. `cordoned`: the worker keeps its units and gets no new ones. `draining`: it gets no
 * new units, and its own move to other workers, a few at a time, make before break; after 5 min all at once.
 */
export interface WorkerDirective {
  readonly standing: 'cordoned' | 'draining';
  /** ISO 8601. A worker that is drained twice keeps the first time. */
  readonly since: string;
}

/** The standings that an operator can set; `open`: the worker takes part as usual. */
export type WorkerStanding = WorkerDirective['standing'] | 'open';

/** The result of setting a directive. */
export interface WorkerStandingResult {
  /** The present standing of the worker. */
  readonly standing: WorkerStanding;
  /** ISO 8601: when the standing began; null for `open`. */
  readonly since: string | null;
  /** False: an earlier call had already set it. */
  readonly changed: boolean;
}
