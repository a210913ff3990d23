import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { workerName } from './worker-name.js';

const byName = new Intl.Collator('en', { numeric: true });

/** By name, numbers by their value. A worker's place does not depend on its state, so that readers find it again. */
export function inOrder(workers: readonly WorkerRow[]): readonly WorkerRow[] {
  return [...workers].sort((a, b) => byName.compare(workerName(a.url), workerName(b.url)));
}
