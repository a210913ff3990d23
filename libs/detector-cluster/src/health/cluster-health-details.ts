import type { SubscriptionsByStatus, WorkersByState } from '../state/cluster-facts.js';

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

/** What the health indicator tells beside the status. */
export type ClusterHealthDetails = {
  /** Why it is not `up`. */
  readonly reason?: string;
  readonly role: 'master' | 'slave';
  /** Whether Redis could be read just now. */
  readonly redis: 'reachable' | 'unreachable';
  /** As the master last wrote it; null while Redis cannot be read. */
  readonly workers: WorkersByState | null;
  readonly subscriptions: SubscriptionsByStatus | null;
  /** How many subscriptions should run. */
  readonly desired: number | null;
  /** Detections for this process that are not done. */
  readonly backlog: number;
  /** When a master last confirmed these figures, ISO 8601; null when no master did, or while Redis cannot be read. */
  readonly asOf: string | null;
  /** How long this process has not been able to read its detections; null while it is. Milliseconds. */
  readonly unreadableFor: number | null;
};
