import { MasterElection, OnMasterAcquired, OnSlaveRemoved } from '@detector-cluster/master-election';
import { Injectable } from '@nestjs/common';
import { WallStore } from './wall.store.js';

/** The part of the master: forgets the connections of replicas that have died, which cannot do so themselves. */
@Injectable()
export class DeadReplicas {
  constructor(
    private readonly election: MasterElection,
    private readonly store: WallStore,
  ) {}

  @OnMasterAcquired()
  async acquired(): Promise<void> {
    console.log('is master');
    await this.forget();
  }

  @OnSlaveRemoved()
  async removed(): Promise<void> {
    await this.forget();
  }

  /** A replica that is wrongly considered dead gets its record back when it next reads. So this needs no fence. */
  private async forget(): Promise<void> {
    // In this order: a replica that is new in between is in the registry.
    const holders = await this.store.holders();
    const alive = new Set((await this.election.getAllProcesses()).map(({ processId }) => processId));
    for (const [display, holder] of holders)
      if (!alive.has(holder.processId)) await this.store.release(display, holder);
  }
}
