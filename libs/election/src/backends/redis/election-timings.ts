/** The three durations of an election, in milliseconds. */
export interface ElectionTiming {
  /** A leader that does not renew for this long loses its lease. */
  readonly lockTtl: number;
  /** How often the leader renews. */
  readonly heartbeatInterval: number;
  /** How often a follower looks, besides being told. */
  readonly checkInterval: number;
}

/** Name of a set of durations: `default` for production, `fast` for demos and tests on a quiet machine. */
export type ElectionTimingName = 'default' | 'fast';

export const ELECTION_TIMINGS: Readonly<Record<ElectionTimingName, ElectionTiming>> = {
  default: { lockTtl: 30_000, heartbeatInterval: 10_000, checkInterval: 5_000 },
  fast: { lockTtl: 3_000, heartbeatInterval: 1_000, checkInterval: 500 },
};
