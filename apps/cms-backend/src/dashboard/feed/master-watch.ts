import { MasterElection } from '@detector-cluster/master-election';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DependencyStatus } from '../../health/dependency-monitor.js';

/** A process that has just started knows after this time whether there is a master. Milliseconds. */
const FIRST_LOOK = 5_000;

/** Whether there is a master, as far as this process knows, and since when. */
@Injectable()
export class MasterWatch implements OnModuleInit {
  private since = Date.now();
  private decided = false;

  constructor(private readonly election: MasterElection) {}

  onModuleInit(): void {
    const changed = () => {
      this.since = Date.now();
      this.decided ||= this.election.getStatus().leaderId !== null;
    };
    this.election.on('election-started', changed);
    this.election.on('election-completed', changed);
  }

  get status(): DependencyStatus {
    const asksStill = !this.decided && Date.now() - this.since < FIRST_LOOK;
    const ok = asksStill || this.election.getStatus().leaderId !== null;
    return { ok, since: this.since, problem: ok ? null : 'no process is master' };
  }
}
