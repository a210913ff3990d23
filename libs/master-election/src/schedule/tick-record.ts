/** A request to start a tick. */
export interface TickStart {
  readonly job: string;
  /** The scheduled time. */
  readonly tick: number;
  /** Term of the lease of the run. */
  readonly term: number;
  /** Unique for each request; a retry has the same value. */
  readonly run: string;
}

/**
 * `started`: recorded now, run the tick. `repeated`: a process has already started this tick or a later one. `deposed`: the master
 * of a later term has used the record. `early`: the tick is not due yet by the clock of the record; nothing was recorded.
 */
export type TickOutcome = 'started' | 'repeated' | 'deposed' | 'early';

/**
 * Records which ticks have been started in the cluster. Its clock decides when a tick is due, because the clocks of processes may
 * differ. Times are milliseconds since 1970.
 */
export interface TickRecord {
  /**
   * Records a start if no process has recorded it before. Safe to repeat. Rejects when the outcome is unknown.
   * @returns the outcome, and the time of the record
   */
  start(start: TickStart): Promise<{ readonly outcome: TickOutcome; readonly now: number }>;

  /**
   * Returns the last started tick of a job, from which a master of this term catches up, and the time of the record. If no tick is
   * known, records the present time as the last one. Returns `null` when the master of a later term has used the record.
   */
  enter(job: string, term: number): Promise<{ readonly tick: number; readonly now: number } | null>;
}
