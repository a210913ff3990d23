import type { DashboardView, ProcessRow, Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';

/** What the figures are made from. */
type SummarisedView = Pick<DashboardView, 'workers' | 'processes' | 'skipped'> & {
  readonly subscriptions: Rows<SubscriptionRow>;
};

/** The cluster in a few figures. */
export interface Summary {
  /** Null: there is no master. */
  readonly master: ProcessRow | null;
  readonly processes: number;
  readonly workers: number;
  /** Connected, stable, and open for new subscriptions. */
  readonly readyWorkers: number;
  readonly subscriptions: number;
  readonly byStatus: Readonly<Record<SubscriptionRow['status'], number>>;
  readonly skipped: number;
  readonly detectionsPerSecond: number;
  /** The longest of all processes, in milliseconds; null: there are no recent detections. */
  readonly lagMs: number | null;
}

export function summarise(view: SummarisedView): Summary {
  const processes = Object.values(view.processes);
  const workers = Object.values(view.workers);
  const byStatus = { active: 0, pending: 0, failed: 0, recovering: 0 };
  let subscriptions = 0;
  for (const id in view.subscriptions) {
    byStatus[view.subscriptions[id]!.status]++;
    subscriptions++;
  }
  const lags = processes.flatMap(({ lagMs }) => (lagMs === null ? [] : [lagMs]));
  return {
    master: masterOf(processes),
    processes: processes.length,
    workers: workers.length,
    readyWorkers: workers.filter(({ state, standing }) => state === 'Ready' && standing === 'open').length,
    subscriptions,
    byStatus,
    skipped: Object.keys(view.skipped).length,
    detectionsPerSecond: processes.reduce((sum, one) => sum + one.detectionsPerSecond, 0),
    lagMs: lags.length === 0 ? null : Math.max(...lags),
  };
}

/** A replaced master may briefly still report the role, so the highest term counts. */
export function masterOf(processes: readonly ProcessRow[]): ProcessRow | null {
  return processes
    .filter(({ role }) => role === 'master')
    .reduce<ProcessRow | null>((best, one) => (best === null || one.term > best.term ? one : best), null);
}
