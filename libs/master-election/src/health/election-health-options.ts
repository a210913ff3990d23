/** When an election counts as unhealthy. All durations in milliseconds. */
export interface ElectionHealthOptions {
  /** Name of the election, as given to `forFeature`. Default: the election of `forRoot`. */
  readonly election?: string;
  /** Whether the election needs a leader to be up. Default `true`; with `false` it is up while the store answers. */
  readonly requireLeader?: boolean;
  /**
   * How long there may be no leader, after the first one, before the election is down. Without this delay a failover would take
   * all processes out of service at once. Default `lockTtl`.
   */
  readonly maxLeaderless?: number;
  /** How long the store may fail before the election is down. Default `lockTtl`: by then no lease can be valid. */
  readonly maxStoreOutage?: number;
}
