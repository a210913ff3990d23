import { createRequire } from 'node:module';
import type { SchedulerRegistry } from '@nestjs/schedule';

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
