import { Injectable, Logger } from '@nestjs/common';
import { LeaderWorkError } from './leader-work.errors.js';
import type { MasterElection } from '../election/master-election.js';
import { LogLimit } from '../shared/log-limit.js';

/** A failure that persists is logged again at this interval. Milliseconds. */
const REPEAT_INTERVAL = 60_000;

/** Reports errors of leader work: in the log with their stacks, and as an event of its election. */
@Injectable()
export class WorkFailures {
  private readonly logger = new Logger('LeaderWork');
  private readonly limit = new LogLimit(REPEAT_INTERVAL);

  /** @param label `Class.method`, or the name of a job that was added at run time. */
  failed(election: MasterElection, label: string, cause: unknown): void {
    const error = new LeaderWorkError(label, cause);
    const { message } = error;
    if (this.limit.passes(message))
      this.logger.error(message, cause instanceof Error ? cause.stack : undefined);
    // If `error` has no listener, the election would log the error a second time.
    if (election.listenerCount('error') > 0) election.report(error);
  }
}
