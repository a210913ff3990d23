import { MAX_TIMER } from '@detector-cluster/election/internal';
import { findNameProblem } from '../shared/resolve-options.js';
import { everyPeriod, type JobSchedule, onceAt } from '../schedule/job-schedule.js';
import type { ScheduledJobOptions } from '../schedule/scheduled-job.js';
import { CronSchedule } from '../schedule/cron-schedule.js';
import type { CronWork, JobWork, MasterJobOptions, TimerWork } from './leader-work.js';

/** A job with all defaults. */
export type ResolvedJob = Required<Pick<MasterJobOptions, 'disabled' | 'initialDelay'>> &
  Pick<
    ScheduledJobOptions,
    'name' | 'scheduleOf' | 'catchUp' | 'waitForCompletion' | 'threshold' | 'timeout'
  >;

type OnProblem = (problem: string) => void;

/** Resolves the options of a decorator. Calls `onProblem` once for each problem, then returns `undefined`. */
export function resolveJob(work: JobWork, label: string, onProblem: OnProblem): ResolvedJob | undefined {
  let sound = true;
  const problem = (text: string) => {
    sound = false;
    onProblem(text);
  };
  const { name = label, catchUp = false, waitForCompletion = true, disabled = false } = work.options;
  const { threshold, initialDelay = 0, timeout } = work.options;
  const nameProblem = findNameProblem(name);
  if (nameProblem) problem(`name ${nameProblem}`);
  for (const [option, value] of Object.entries({ catchUp, waitForCompletion, disabled }))
    if (typeof value !== 'boolean') problem(`${option} must be true or false`);
  if (threshold !== undefined && !(threshold >= 0))
    problem('threshold must be a number of milliseconds from 0 on');
  if (!(initialDelay >= 0 && initialDelay <= MAX_TIMER))
    problem(`initialDelay must be a number of milliseconds from 0 to ${MAX_TIMER}`);
  if (timeout !== undefined && !(Number.isFinite(timeout) && timeout > 0 && timeout <= MAX_TIMER))
    problem(`timeout must be a positive number of milliseconds up to ${MAX_TIMER}`);
  const scheduleOf = work.kind === 'cron' ? cron(work, problem) : timer(work, problem);
  return sound && scheduleOf
    ? { name, scheduleOf, catchUp, waitForCompletion, disabled, threshold, initialDelay, timeout }
    : undefined;
}

function cron({ expression, options }: CronWork, onProblem: OnProblem): (() => JobSchedule) | undefined {
  const { timeZone, utcOffset } = options;
  if (utcOffset !== undefined) {
    if (timeZone !== undefined) onProblem('give timeZone or utcOffset, not both');
    if (!(Number.isInteger(utcOffset) && Math.abs(utcOffset) < 24 * 60))
      onProblem(`utcOffset must be a whole number of minutes below 24 hours, not ${String(utcOffset)}`);
  }
  try {
    const schedule = new CronSchedule(expression, utcOffset ?? timeZone ?? 'UTC');
    return () => schedule;
  } catch (error) {
    onProblem(
      `'${expression}'${timeZone === undefined ? '' : ` in time zone '${timeZone}'`} is no valid cron ` +
        `expression (${(error as Error).message.split('\n')[0]}); give five fields, or six with seconds in front`,
    );
    return undefined;
  }
}

function timer(
  { kind, duration }: TimerWork,
  onProblem: OnProblem,
): ((begun: number) => JobSchedule) | undefined {
  const shortest = kind === 'interval' ? 1 : 0;
  if (!Number.isSafeInteger(duration) || duration < shortest) {
    onProblem(
      `the ${kind} must be a whole number of milliseconds from ${shortest} on, not ${String(duration)}`,
    );
    return undefined;
  }
  if (kind === 'timeout') return (begun) => onceAt(Math.floor(begun) + Math.max(1, duration));
  return () => everyPeriod(duration);
}
