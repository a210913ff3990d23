import type { Stage } from './stage/stage.js';

/** What a play found out, for the last line: counts, and durations in milliseconds. */
export interface Figures {
  /** Whether everything held that the sample promises. */
  readonly ok: boolean;
  readonly [figure: string]: number | boolean;
}

/** One of the samples: what it needs, and what is done to its replicas. */
export interface Sample {
  /** Below `samples/`; begins with its number. */
  readonly folder: string;
  /** Whether it has a database. */
  readonly postgres: boolean;
  /**
   * Starts replicas and plays with them, until all has been seen. What it started is ended by the stage.
   * @throws Error when something does not happen in time
   */
  play(stage: Stage): Promise<Figures>;
}
