import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { workerName } from './worker-name.js';

export const WORKER_COLUMNS = ['worker', 'state', 'cpu', 'memory', 'gpu', 'gpuMemory', 'load'] as const;

export type WorkerColumn = (typeof WORKER_COLUMNS)[number];

export interface WorkerSort {
  readonly column: WorkerColumn;
  readonly descending: boolean;
}

/** The worst state first. */
const STATES: readonly WorkerRow['state'][] = ['Offline', 'Suspect', 'Quarantined', 'Connecting', 'Ready'];

/** Unknown figures sort below 0. */
const keyOf: Readonly<Record<Exclude<WorkerColumn, 'worker'>, (worker: WorkerRow) => number>> = {
  state: ({ state, standing }) => 2 * STATES.indexOf(state) + (standing === 'open' ? 1 : 0),
  cpu: ({ cpuUsage }) => cpuUsage ?? -1,
  memory: ({ memoryUsage }) => memoryUsage ?? -1,
  gpu: ({ gpuUsage }) => gpuUsage ?? -1,
  gpuMemory: ({ gpuMemoryUsage }) => gpuMemoryUsage ?? -1,
  load: ({ subscriptionCount }) => subscriptionCount,
};

/** Workers with one value keep their order. @param workers in the order of their names */
export function sortWorkers(
  workers: readonly WorkerRow[],
  { column, descending }: WorkerSort,
): readonly WorkerRow[] {
  if (column === 'worker') return descending ? workers.toReversed() : workers;
  const sign = descending ? -1 : 1;
  const key = keyOf[column];
  return workers.toSorted((a, b) => sign * (key(a) - key(b)));
}

/** The workers whose names have all words of the text. */
export function findWorkers(workers: readonly WorkerRow[], text: string): readonly WorkerRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return workers.filter(({ url }) => {
    const name = workerName(url).toLowerCase();
    return words.every((word) => name.includes(word));
  });
}
