import type { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import type { JobAlarm, Sleeper } from './timer-alarm.js';

interface CronAlarmOptions {
  readonly registry: SchedulerRegistry;
  /** Key of the entry in the registry. */
  readonly key: string;
  readonly expression: string;
  readonly timeZone: string | undefined;
  readonly utcOffset: number | undefined;
  readonly unrefTimeout: boolean;
  /** The application called `fireOnTick()` of the entry. */
  readonly onFired: () => void;
}

/** A `CronJob` in the `SchedulerRegistry`. */
export class CronAlarm implements JobAlarm {
  private readonly job: CronJob;
  private readonly sleepers = new Set<Sleeper>();
  private lastExecution: Date | null = null;

  /** @throws Error when the registry has a cron job with this key. */
  constructor(private readonly options: CronAlarmOptions) {
    const { registry, key, expression, timeZone, utcOffset, unrefTimeout } = options;
    this.job = CronJob.from({
      cronTime: expression,
      name: key,
      unrefTimeout,
      ...(utcOffset === undefined ? { timeZone } : { utcOffset }),
      onTick: () => this.ticked(),
    });
    registry.addCronJob(key, this.job);
  }

  get active(): boolean {
    return this.job.isActive;
  }

  expect(_due: number, sleeper: Sleeper): () => void {
    this.sleepers.add(sleeper);
    return () => this.sleepers.delete(sleeper);
  }

  start(): void {
    this.job.start();
  }

  stop(): void {
    void this.job.stop();
  }

  remove(): void {
    const { registry, key } = this.options;
    this.stop();
    if (registry.doesExist('cron', key) && registry.getCronJob(key) === this.job) registry.deleteCronJob(key);
  }

  private ticked(): void {
    // Only the timer of the job sets the time of the last execution; `fireOnTick()` does not.
    if (this.job.lastExecution === this.lastExecution) return this.options.onFired();
    this.lastExecution = this.job.lastExecution;
    for (const sleeper of this.sleepers) sleeper.rang();
  }
}
