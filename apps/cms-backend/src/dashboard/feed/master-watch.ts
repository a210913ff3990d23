import { MasterElection } from '@detector-cluster/master-election';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DependencyStatus } from '../../health/dependency-monitor.js';

/** Whether there is a master, as far as this process knows, and since when. */
@Injectable()
export class MasterWatch implements OnModuleInit {
  private since = Date.now();

  constructor(private readonly election: MasterElection) {}

  onModuleInit(): void {
    const changed = () => {
      this.since = Date.now();
    };
    this.election.on('election-started', changed);
    this.election.on('election-completed', changed);
  }

  get status(): DependencyStatus {
    const ok = this.election.getStatus().leaderId !== null;
    return { ok, since: this.since, problem: ok ? null : 'no process is master' };
  }
}
