import { describe, expect, it } from 'vitest';
import type { CronWork, JobWork, MasterCronOptions, TimerWork } from './leader-work.js';
import { type ResolvedJob, resolveJob } from './resolve-job.js';

const cron = (expression: string, options: MasterCronOptions = {}): CronWork => ({
  kind: 'cron',
  decorator: '@MasterCron',
  election: undefined,
  expression,
  options,
});
const timer = (kind: TimerWork['kind'], duration: number): TimerWork => ({
  kind,
  decorator: '@MasterInterval',
  election: undefined,
  duration,
  options: {},
});
const interval = (duration: number) => timer('interval', duration);

function resolve(work: JobWork): { job: ResolvedJob | undefined; problems: string[] } {
  const problems: string[] = [];
  return { job: resolveJob(work, 'Reports.nightly', (problem) => problems.push(problem)), problems };
}

describe('resolveJob', () => {
  it('fills in the defaults', () => {
    const { job, problems } = resolve(cron('0 3 * * *'));
    expect(problems).toEqual([]);
    expect(job).toMatchObject({
      name: 'Reports.nightly',
      catchUp: false,
      waitForCompletion: true,
      disabled: false,
      threshold: undefined,
      initialDelay: 0,
      timeout: undefined,
    });
    const noon = Date.parse('2026-11-21T12:00:00Z');
    expect(job!.scheduleOf(0).next(noon)).toBe(Date.parse('2026-11-22T03:00:00Z'));
    expect(resolve(interval(250)).job!.scheduleOf(0).next(noon)).toBe(noon + 250);
  });

  it('has an interval tick at successive multiples of its period since 1970', () => {
    const schedule = resolve(interval(400)).job!.scheduleOf(0);
    expect(schedule.next(-1)).toBe(0);
    expect(schedule.next(0)).toBe(400);
    expect(schedule.next(399)).toBe(400);
    expect(schedule.next(400)).toBe(800);
    const late = Date.parse('2026-11-21T10:00:00.123Z');
    expect(schedule.next(late)).toBe(Date.parse('2026-11-21T10:00:00.400Z'));
  });

  it('has a timeout tick once, at its delay after the term began', () => {
    const schedule = resolve(timer('timeout', 400)).job!.scheduleOf(1_000.5);
    expect([1_000.5, 1_399, 1_400].map((after) => schedule.next(after))).toEqual([1_400, 1_400, Infinity]);
    expect(resolve(timer('timeout', 0)).job!.scheduleOf(1_000).next(1_000)).toBe(1_001);
  });

  it('reports all problems of one job', () => {
    const options = {
      name: '',
      timeout: -1,
      waitForCompletion: 'yes',
      threshold: -1,
      initialDelay: Infinity,
      utcOffset: 0.5,
      timeZone: 'Mars',
    } as unknown as MasterCronOptions;
    const { job, problems } = resolve(cron('often', options));
    expect(job).toBeUndefined();
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'name',
      'waitForCompletion',
      'threshold',
      'initialDelay',
      'timeout',
      'give',
      'utcOffset',
      "'often'",
    ]);
  });

  it.each([
    [
      cron('61 * * * *'),
      /^'61 \* \* \* \*' is no valid cron expression \(.*out of range\); give five fields/,
    ],
    [
      cron('* * * * *', { timeZone: 'Mars' }),
      /in time zone 'Mars' is no valid cron expression \(Invalid time zone/,
    ],
    [cron('0 0 31 2 *'), /no valid cron expression/],
    [cron(undefined as unknown as string), /no valid cron expression/],
    [interval(0), /^the interval must be a whole number of milliseconds from 1 on, not 0/],
    [interval(1.5), /not 1.5/],
    [interval(Infinity), /not Infinity/],
  ])('refuses %p', (work, expected) => {
    const { job, problems } = resolve(work);
    expect(job).toBeUndefined();
    expect(problems).toEqual([expect.stringMatching(expected)]);
  });
});
