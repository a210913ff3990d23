import type {
  AlertRow,
  HistoryPoint,
  ModelRow,
  ProcessRow,
  SubscriptionRow,
  WorkerRow,
} from '@detector-cluster/dashboard-protocol';

export const keyed = <T>(items: readonly T[], key: (item: T) => string): Record<string, T> =>
  Object.fromEntries(items.map((item) => [key(item), item]));

export const worker = (url: string, more: Partial<WorkerRow> = {}): WorkerRow => ({
  url,
  online: true,
  state: 'Ready',
  standing: 'open',
  problem: null,
  excess: null,
  drainTotal: null,
  cpuUsage: 1,
  memoryUsage: 1,
  gpuUsage: null,
  gpuMemoryUsage: null,
  capacity: 10,
  subscriptionCount: 1,
  models: [],
  connectedAt: new Date().toISOString(),
  ...more,
});

export const subscription = (subscriptionIdentifier: string, workerUrl = 'ws://w'): SubscriptionRow => ({
  subscriptionIdentifier,
  workerUrl,
  model: null,
  version: null,
  status: 'active',
  reason: 'streaming',
  detail: '',
  since: new Date().toISOString(),
});

export const model = (modelName: string, more: Partial<ModelRow> = {}): ModelRow => ({
  modelId: 1,
  modelName,
  current: 'v1',
  former: null,
  candidate: null,
  share: 0,
  since: new Date().toISOString(),
  quietSince: null,
  ...more,
});

export const backend = (processId: string, more: Partial<ProcessRow> = {}): ProcessRow => ({
  processId,
  identifier: processId,
  role: 'follower',
  mayAct: false,
  term: 1,
  leaseAgeMs: null,
  detectionsPerSecond: 0,
  delivered: 0,
  redelivered: 0,
  dropped: 0,
  lagMs: null,
  partitions: [],
  startedAt: new Date().toISOString(),
  ...more,
});

/** The master says that it fires, for ten minutes; by name. */
export const alert = (name: string, more: Partial<AlertRow> = {}): Record<string, AlertRow> => ({
  [`DetectorCluster${name}`]: {
    name: `DetectorCluster${name}`,
    severity: 'warning',
    summary: `${name}.`,
    workerUrl: null,
    since: new Date(Date.now() - 600_000).toISOString(),
    firesAt: new Date(Date.now() - 300_000).toISOString(),
    ...more,
  },
});

/** The same, but it fires in five minutes. */
export const pendingAlert = (name: string, more: Partial<AlertRow> = {}): Record<string, AlertRow> =>
  alert(name, { firesAt: new Date(Date.now() + 300_000).toISOString(), ...more });

/** One point of a history. */
export const recorded = (
  loads: readonly number[],
  more: Partial<HistoryPoint> = {},
): Omit<HistoryPoint, 'at'> => ({
  detectionsPerSecond: 12.5,
  lagMs: 40,
  meanLoad: 35,
  highestLoad: 80,
  loads,
  subscriptions: { active: 6, pending: 1, recovering: 0, failed: 0 },
  failovers: 0,
  ...more,
});
