import { type Clock, CLOCK_RATE_RATIO, systemClock } from '../../../util/clock.js';

/**
 * For how long this process has seen one server run. A server derives its age from its wall clock: when that is set back, its age may
 * be negative, and it would grant no lease for hours.
 */
export class ServerAge {
  private runId = '';
  private since = 0;

  constructor(private readonly clock: Pick<Clock, 'now'> = systemClock) {}

  /** The last two arguments of a script that includes `_server.lua`: run id, and milliseconds for which it has been seen. */
  get args(): [runId: string, seenFor: number] {
    return [
      this.runId,
      this.runId === '' ? 0 : Math.floor((this.clock.now() - this.since) / CLOCK_RATE_RATIO),
    ];
  }

  /** A server with this run id has refused a lease because it had started a short while ago. */
  saw(runId: string): void {
    if (runId === this.runId) return;
    this.runId = runId;
    this.since = this.clock.now();
  }
}
