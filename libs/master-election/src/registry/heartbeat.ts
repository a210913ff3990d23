import type { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from '../schedule/alarm/cron-library.js';

/** How often a process renews its entry. Seconds. */
const HEARTBEAT_SECONDS = 10;

export interface HeartbeatOptions {
  /** Lists the heartbeat for operators, who can stop and start it there. */
  readonly scheduler: SchedulerRegistry | undefined;
  /** Name of the heartbeat in the scheduler. */
  readonly key: string;
  readonly onBeat: () => void;
}

/** The heartbeat of a process in the registry of processes: a cron job of `@nestjs/schedule`. */
export class Heartbeat {
  private readonly job: CronJob;

  constructor(private readonly options: HeartbeatOptions) {
    const { key: name, onBeat: onTick } = options;
    // A random phase spreads the heartbeats of the cluster over the interval.
    const phase = Math.floor(Math.random() * HEARTBEAT_SECONDS);
    this.job = CronJob.from({ cronTime: `${phase}-59/${HEARTBEAT_SECONDS} * * * * *`, name, onTick });
  }

  start(): void {
    const { scheduler, key } = this.options;
    if (scheduler && !scheduler.doesExist('cron', key)) scheduler.addCronJob(key, this.job);
    this.job.start();
  }

  stop(): void {
    const { scheduler, key } = this.options;
    void this.job.stop();
    if (scheduler?.doesExist('cron', key) && scheduler.getCronJob(key) === this.job)
      scheduler.deleteCronJob(key);
  }
}
