import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { workerName } from './worker-name.js';

const byName = new Intl.Collator('en', { numeric: true });

/** By name, numbers by their value. The place of a worker does not depend on how it is doing, so that it can be found again. */
export function inOrder(workers: readonly WorkerRow[]): readonly WorkerRow[] {
  return [...workers].sort((a, b) => byName.compare(workerName(a.url), workerName(b.url)));
}
