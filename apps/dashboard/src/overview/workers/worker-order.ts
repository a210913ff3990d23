import { workerName } from './worker-name.js';

const collator = new Intl.Collator('en', { numeric: true });

/** By name, numbers by their value. A worker's place does not depend on its state, so that readers find it again. */
export function byName(a: string, b: string): number {
  return collator.compare(workerName(a), workerName(b));
}
