import type { Lease } from '@detector-cluster/election';
import { MasterCron, OnMasterAcquired, type MasterTick } from '@detector-cluster/master-election';
import { Injectable } from '@nestjs/common';
import { RunCounter } from './run-counter.js';

@Injectable()
export class ReportJob {
  constructor(private readonly counter: RunCounter) {}

  @OnMasterAcquired()
  acquired({ term }: Lease): void {
    console.log(`leads, term ${term}`);
  }

  /**
   * Every two seconds, on the master only. `scheduledAt` is the same on every replica: use it as the key of what the run
   * writes. A longer run should pass `lease.signal` on, and check `lease.isValid()` before each write.
   */
  @MasterCron('*/2 * * * * *', { name: 'report', catchUp: true })
  async write(_lease: Lease, { scheduledAt, late }: MasterTick): Promise<void> {
    const runs = await this.counter.count(scheduledAt);
    const due = new Date(scheduledAt).toISOString().slice(11, 19);
    console.log(`report of ${due}${late ? ', late' : ''}: run ${runs} of this tick`);
  }
}
