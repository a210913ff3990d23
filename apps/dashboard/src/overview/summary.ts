import type { DashboardView, ProcessRow, Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';

/** How many subscriptions have each status. */
export type StatusCounts = Readonly<Record<SubscriptionRow['status'], number>>;

/** There can be very many subscriptions, so call it only if they have changed. */
export function countStatuses(subscriptions: Rows<SubscriptionRow>): StatusCounts {
  const counts = { active: 0, pending: 0, failed: 0, recovering: 0 };
  for (const id in subscriptions) counts[subscriptions[id]!.status]++;
  return counts;
}

/** The cluster in a few figures. */
export function summarise(
  view: Pick<DashboardView, 'workers' | 'processes' | 'skipped'>,
  byStatus: StatusCounts,
) {
  const processes = Object.values(view.processes);
  const workers = Object.values(view.workers);
  const lags = processes.flatMap(({ lagMs }) => (lagMs === null ? [] : [lagMs]));
  return {
    /** Null: there is no master. */
    master: masterOf(processes),
    processes: processes.length,
    workers: workers.length,
    readyWorkers: workers.filter(({ state }) => state === 'Ready').length,
    /** Cordoned or being drained. */
    closedWorkers: workers.filter(({ standing }) => standing !== 'open').length,
    /** Streams that workers report. */
    running: sum(workers, ({ subscriptionCount }) => subscriptionCount),
    subscriptions: byStatus.active + byStatus.pending + byStatus.failed + byStatus.recovering,
    byStatus,
    skipped: Object.keys(view.skipped).length,
    detectionsPerSecond: sum(processes, (one) => one.detectionsPerSecond),
    /** By masters, and by their budgets for workers, since each process started. */
    dropped: sum(processes, (one) => one.dropped) + sum(workers, ({ excess }) => excess?.dropped ?? 0),
    /** The longest of all processes, in milliseconds; null: there are no recent detections. */
    lagMs: lags.length === 0 ? null : Math.max(...lags),
  };
}

function sum<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((all, item) => all + figure(item), 0);
}

/** A replaced master may briefly still report the role, so the highest term counts. */
export function masterOf(processes: readonly ProcessRow[]): ProcessRow | null {
  return processes
    .filter(({ role }) => role === 'master')
    .reduce<ProcessRow | null>((best, one) => (best === null || one.term > best.term ? one : best), null);
}
