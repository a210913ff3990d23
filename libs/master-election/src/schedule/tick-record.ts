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
 * `started`: recorded now, go on. `repeated`: this tick or a later one was started before, by whomever. `deposed`: a
 * later term has already started one.
 */
export type TickOutcome = 'started' | 'repeated' | 'deposed';

/** Which ticks have been started in the cluster. */
export interface TickRecord {
  /** Records a start, if no process has recorded it before. Safe to repeat. Rejects when that is unknown. */
  start(start: TickStart): Promise<TickOutcome>;

  /**
   * The last tick of a job that was started, for a master of this term to catch up from; `now` when none is known, which
   * is recorded. `null` when a later term has already been there.
   */
  enter(job: string, now: number, term: number): Promise<number | null>;
}
