import type { Lease } from '@detector-cluster/election';
import {
  MasterCron,
  OnMasterAcquired,
  type MasterElection,
  type MasterTick,
} from '@detector-cluster/master-election';

declare function migrate(options: { signal: AbortSignal }): Promise<void>;

export abstract class Leader {
  declare readonly election: MasterElection;
  declare readonly reports: { write(options: { key: string; signal: AbortSignal }): Promise<void> };
  declare readonly queue: { read(options: { signal: AbortSignal }): AsyncIterable<string> };
  abstract handle(message: string, term: number): Promise<void>;

  /* block */
}
