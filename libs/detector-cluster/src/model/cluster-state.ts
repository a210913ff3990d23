/** One worker as the master sees it: the value of `worker:connections`. Credentials in URLs are removed. */
export interface WorkerConnectionState {
  url: string;
  /** Backend process that holds the connection. */
  processId: string;
  online: boolean;
  /** Percent, 0 to 100; null when the worker does not report it. */
  cpuUsage: number | null;
  memoryUsage: number | null;
  gpuUsage: number | null;
  gpuMemoryUsage: number | null;
  subscriptionCount: number;
  subscriptions: string[];
  /** ISO 8601; empty before the first report. */
  lastHeartbeat: string;
  /** ISO 8601; empty before the first connection. */
  connectedAt: string;
  /** Connecting, Ready, Suspect or Offline. */
  state: WorkerLiveness;
}

export type WorkerLiveness = 'Connecting' | 'Ready' | 'Suspect' | 'Offline';

/** A backend process that takes detections. */
export interface SlaveState {
  slaveId: string;
  processId: string;
  online: boolean;
  /** Number of workers whose detections it receives. */
  workload: number;
  /** ISO 8601. */
  lastSeen: string;
  capabilities?: Record<string, unknown>;
}

export interface DetectorClusterState {
  processId: string;
  isMaster: boolean;
  slaveId: string;
  totalWorkers: number;
  totalSlaves: number;
  workers: WorkerConnectionState[];
  slaves: SlaveState[];
  /** Worker URL to slave id. */
  assignments: Record<string, string>;
}
