/** When an election counts as unhealthy. All durations in milliseconds. */
export interface ElectionHealthOptions {
  /** Name of the election, as given to `forFeature`. Default: the election of `forRoot`. */
  readonly election?: string;
  /** Whether somebody must lead. Default `true`; with `false` a process is up as long as the store answers. */
  readonly requireLeader?: boolean;
  /**
   * How long there may be no leader, after the first one, before the election is down. It keeps a failover from taking all
   * processes out of service at once. Default `lockTtl`.
   */
  readonly maxLeaderless?: number;
  /** How long the store may fail before the election is down. Default `lockTtl`: by then no lease can be valid. */
  readonly maxStoreOutage?: number;
}
