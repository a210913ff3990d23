import type { SubscriptionStatus, WorkerLiveness } from '@detector-cluster/placement/internal';

/** How many subscriptions have each status. */
export type SubscriptionsByStatus = Readonly<Record<SubscriptionStatus, number>>;

/** What a worker has sent beyond its budget (option `workerLimits`), since the process of the master began or it was configured. */
export interface WorkerExcess {
  /** How often its socket was paused, because too many of its frames waited for the master. */
  readonly pauses: number;
  /** Detections that were dropped: beyond `detectionsPerSecond`, or because it held the largest part of a full buffer. */
  readonly dropped: number;
  /** Detections that were refused because their frames were larger than `detectionBytes`. */
  readonly oversized: number;
}

/**
 * One worker as the master sees it: the value of `worker:connections`. Credentials in URLs are removed. Frozen, because callers
 * share it: with a thousand workers, a copy for each caller would keep the master busy.
 */
export interface WorkerConnectionState {
  readonly url: string;
  /** What its operator calls it; left out: it has no name. */
  readonly name?: string;
  /** Backend process that holds the connection. */
  readonly processId: string;
  readonly online: boolean;
  /** Percent, 0 to 100; null when the worker does not report it, or does not report at all. */
  readonly cpuUsage: number | null;
  readonly memoryUsage: number | null;
  readonly gpuUsage: number | null;
  readonly gpuMemoryUsage: number | null;
  /** The subscriptions of its last report; none once it is Offline. */
  readonly subscriptionCount: number;
  /** Sorted; the same array while it is unchanged. */
  readonly subscriptions: readonly string[];
  /** ISO 8601; empty before the first report. */
  readonly lastHeartbeat: string;
  /** Since when the master is connected to it, ISO 8601; empty while it is not. */
  readonly connectedAt: string;
  readonly state: WorkerLiveness;
  /**
   * Why the worker is not ready: the last refused frame, which explains missing reports, or why there is no connection. Of a worker that is
   * quarantined because it sends too much, that reason. Of one that is drained, why the drain cannot proceed. Null if there is none.
   */
  readonly problem: string | null;
  /** Null if it has never exceeded its budget. */
  readonly excess: WorkerExcess | null;
  /** The directive of an operator: the worker gets nothing new (cordoned), and also hands over what it runs (draining). */
  readonly standing: 'open' | 'cordoned' | 'draining';
  /**
   * While it is being drained: the most subscriptions since the drain began; `subscriptionCount` of them are left. Null
   * otherwise.
   */
  readonly drainTotal: number | null;
}

/** A backend process that takes detections. */
export interface SlaveState {
  slaveId: string;
  processId: string;
  online: boolean;
  /** Number of partitions that it owns. */
  workload: number;
  /** ISO 8601. */
  lastSeen: string;
  capabilities?: Record<string, unknown>;
}

/** Whether a living master keeps the state up to date that processes read. */
export interface ClusterFreshness {
  /** When a master last confirmed the state, ISO 8601 by the clock of this process; null when no master did in the last 24 h. */
  asOf: string | null;
  /** No master has confirmed the state for 10 s, or it cannot be read: workers and subscriptions may have changed since. */
  stale: boolean;
}

/** The versions of a model's file, as the provider of its URL names them. */
export interface ModelVersions {
  readonly modelId: number;
  readonly modelName: string;
  /** What all cameras run that do not run the candidate. */
  readonly current: string;
  /** What the current version has replaced: the way back. Null: none is known. */
  readonly former: string | null;
  /** What the provider gives, if that is not the current version. */
  readonly candidate: string | null;
  /** How many percent of the cameras run the candidate; 0: it was rolled back. */
  readonly share: number;
  /** ISO 8601: when this last changed. */
  readonly since: string;
  /** ISO 8601: since when the candidate runs without a failure; null: it does not. */
  readonly quietSince: string | null;
}

/** The progress of the last requested rebalance. */
export interface RebalanceProgress {
  /** The requester that the caller of `rebalanceWorkers` named; null: unknown. */
  by: string | null;
  /** When the master began it, ISO 8601. */
  since: string;
  /** Number of cameras that it has moved. */
  moved: number;
  /** Number of moves under way and planned next. Until the rebalance is over, more may follow. */
  left: number;
  /** When its last move ended, ISO 8601; null: it is not over. */
  endedAt: string | null;
}

export interface DetectorClusterState extends ClusterFreshness {
  processId: string;
  isMaster: boolean;
  slaveId: string;
  totalWorkers: number;
  totalSlaves: number;
  workers: WorkerConnectionState[];
  slaves: SlaveState[];
  /** Partition to slave id. */
  assignments: Record<string, string>;
}
