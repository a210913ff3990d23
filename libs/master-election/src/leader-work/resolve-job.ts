import { findNameProblem } from '../options/find-name-problem.js';
import { CronSchedule } from '../schedule/cron-schedule.js';
import { IntervalSchedule } from '../schedule/interval-schedule.js';
import type { Schedule } from '../schedule/schedule.js';
import type { CronWork, IntervalWork } from './leader-work.js';

/** The longest delay of a timer in Node. Milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A job with all defaults. */
export interface ResolvedJob {
  readonly name: string;
  readonly schedule: Schedule;
  readonly catchUp: boolean;
  readonly overlap: boolean;
  readonly timeout: number | undefined;
}

/** Reads what a decorator was given; `undefined` after `onProblem` was called, once for each problem. */
export function resolveJob(
  work: CronWork | IntervalWork,
  label: string,
  onProblem: (problem: string) => void,
): ResolvedJob | undefined {
  let sound = true;
  const problem = (text: string) => {
    sound = false;
    onProblem(text);
  };
  const { name = label, catchUp = false, overlap = false, timeout } = work.options;
  const nameProblem = findNameProblem(name);
  if (nameProblem) problem(`name ${nameProblem}`);
  for (const [option, value] of Object.entries({ catchUp, overlap }))
    if (typeof value !== 'boolean') problem(`${option} must be true or false`);
  if (timeout !== undefined && !(Number.isFinite(timeout) && timeout > 0 && timeout <= LONGEST_TIMER))
    problem(`timeout must be a positive number of milliseconds up to ${LONGEST_TIMER}`);
  const schedule = work.kind === 'cron' ? cron(work, problem) : interval(work, problem);
  return sound && schedule ? { name, schedule, catchUp, overlap, timeout } : undefined;
}

function cron({ expression, options }: CronWork, onProblem: (problem: string) => void): Schedule | undefined {
  try {
    return new CronSchedule(expression, options.timeZone ?? 'UTC');
  } catch (error) {
    onProblem(
      `'${expression}'${options.timeZone === undefined ? '' : ` in time zone '${options.timeZone}'`} is no valid cron ` +
        `expression (${(error as Error).message.split('\n')[0]}); give five fields, or six with seconds in front`,
    );
    return undefined;
  }
}

function interval({ period }: IntervalWork, onProblem: (problem: string) => void): Schedule | undefined {
  if (Number.isSafeInteger(period) && period >= 1) return new IntervalSchedule(period);
  onProblem(`the interval must be a whole number of milliseconds from 1 on, not ${String(period)}`);
  return undefined;
}
