import type { SubscriptionsByStatus, WorkersByState } from '../state/cluster-facts.js';

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
