import type { SampleStage } from './stage/sample-stage.js';

/** The results of a play for the last line: counts, and durations in milliseconds. */
export interface Figures {
  /** Whether all promises of the sample held. */
  readonly ok: boolean;
  readonly [figure: string]: number | boolean;
}

/** A sample: its requirements, and the play with its replicas. */
export interface Sample {
  /** Folder in `samples/`; begins with its number. */
  readonly folder: string;
  /** Whether it has a database. */
  readonly postgres: boolean;
  /**
   * Starts replicas and runs the play. The stage ends everything that the play has started.
   * @throws Error if something does not happen in time
   */
  play(stage: SampleStage): Promise<Figures>;
}
