/** When the cluster counts as unhealthy. All durations in milliseconds. */
export interface ClusterHealthOptions {
  /**
   * Whether the cluster is `down` when no worker has been ready for longer than `maxWithoutWorkers` although subscriptions
   * are desired. Default `false`: it is `degraded`, because readiness that fails on every process at once takes the whole
   * service away, and brings no worker back.
   */
  readonly requireWorkers?: boolean;
  /** How long no worker may be ready, as far as this process has been asked. Default 30,000. */
  readonly maxWithoutWorkers?: number;
  /** How long this process may be unable to read its detections. Default 10,000. */
  readonly maxUnreadable?: number;
  /** How long no master may have confirmed the cluster's state before the cluster is `down`. Default 10,000. */
  readonly maxUnconfirmed?: number;
}
