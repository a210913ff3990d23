/** A start that is asked for. */
export interface TickStart {
  readonly job: string;
  /** The scheduled time. */
  readonly tick: number;
  /** Of the lease under which the run is to be. */
  readonly term: number;
  /** Unique for each start that is asked for; the same when the question is repeated. */
  readonly run: string;
}

/**
 * `started`: recorded now, run the tick. `repeated`: some process has already started this tick or a later one. `deposed`: a later
 * term has already started one. `early`: by the clock of the record it is not yet time; nothing was recorded.
 */
export type TickOutcome = 'started' | 'repeated' | 'deposed' | 'early';

/**
 * Which ticks have been started in the cluster. Its clock decides when a tick is due: the clocks of processes may differ. Times
 * are milliseconds since 1970.
 */
export interface TickRecord {
  /**
   * Records a start, if no process has recorded it before. Safe to repeat. Rejects when that is unknown.
   * @returns the outcome, and the time of the record
   */
  start(start: TickStart): Promise<{ readonly outcome: TickOutcome; readonly now: number }>;

  /**
   * The last tick of a job that was started, for a master of this term to catch up from, and the time of the record. Where none
   * is known, ticks count from now on, which is recorded. `null` when a later term has already been there.
   */
  enter(job: string, term: number): Promise<{ readonly tick: number; readonly now: number } | null>;
}
