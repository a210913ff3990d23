import { Injectable, Logger } from '@nestjs/common';
import { LeaderWorkError } from './leader-work.errors.js';
import type { MasterElection } from '../election/master-election.js';
import { FailureLog } from './failure-log.js';

/** Reports errors of leader work: in the log, and as an event of its election. */
@Injectable()
export class WorkFailures {
  private readonly log = new FailureLog(new Logger('LeaderWork'));

  /** @param label `Class.method`, or the name of a job that was added at run time. */
  failed(election: MasterElection, label: string, cause: unknown): void {
    const error = new LeaderWorkError(label, cause);
    this.log.failed(error);
    // If `error` has no listener, the election would log the error a second time.
    if (election.listenerCount('error') > 0) election.report(error);
  }
}
