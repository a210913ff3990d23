import { createRequire } from 'node:module';
import type { SchedulerRegistry } from '@nestjs/schedule';
import type { JobAlarm, Sleeper } from './timer-alarm.js';

type ScheduledCronJob = ReturnType<SchedulerRegistry['getCronJob']>;
type CronTime = ScheduledCronJob['cronTime'];

interface CronJobParams {
  readonly cronTime: string;
  readonly onTick: () => void;
  readonly name?: string;
  readonly timeZone?: string;
  readonly utcOffset?: number;
  readonly unrefTimeout?: boolean;
  readonly threshold?: number;
}

interface CronLibrary {
  readonly CronJob: { from(params: CronJobParams): ScheduledCronJob };
  readonly CronTime: new (
    expression: string,
    timeZone?: string | null,
    utcOffset?: number | null,
  ) => CronTime;
}

// Uses the same copy as @nestjs/schedule, so that the jobs in its registry have the class that applications import.
const scheduleOfNest = createRequire(import.meta.url).resolve('@nestjs/schedule');

export const { CronJob, CronTime } = createRequire(scheduleOfNest)('cron') as CronLibrary;

/** An instance of the class of this name. */
export type CronJob = ScheduledCronJob;

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
