import type { Elector } from '@detector-cluster/election';
import type { ProcessRegistry } from '../registry/process-registry.js';
import type { TickRecord } from '../schedule/tick-record.js';

/** The registry of processes, see {@link ProcessRegistry}. */
export type Registry = Pick<ProcessRegistry, keyof ProcessRegistry>;

/** What a process shares with the others: the election, the registry of processes, the record of scheduled jobs. */
export interface Cluster {
  readonly registry: Registry;
  readonly elector: Elector;
  readonly ticks: TickRecord;
  /** How often the master looks for processes that joined or left. Milliseconds; default 500. */
  readonly lookInterval?: number;
  close(): Promise<void>;
}
