/** How long the checks wait. Milliseconds. */
export interface Limits {
  /** For what a worker does at once. A busy machine takes long over what is quick, so this only finds what never happens. */
  readonly patience: number;
  /** For what must not happen. */
  readonly quiet: number;
  /** How often the protocol asks for a state report. Checks allow {@link REPORT_FACTOR} times as much. */
  readonly reportInterval: number;
  /** How long streams outlive the last connection. */
  readonly linger: number;
}

/** Bounds of times in the protocol are multiplied by this, so that a paused machine does not fail a good worker. */
export const REPORT_FACTOR = 5;

export const LIMITS: Limits = { patience: 30_000, quiet: 1_500, reportInterval: 2_000, linger: 15_000 };
