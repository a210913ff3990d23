import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyPeriod, type JobSchedule } from './job-schedule.js';
import { lastTick } from './last-tick.js';
import { CronSchedule } from './cron-schedule.js';

/** A schedule that consists of the given ticks. */
const scheduleOf = (ticks: readonly number[]): JobSchedule => ({
  next: (after) => ticks.find((tick) => tick > after) ?? Infinity,
});

describe('lastTick', () => {
  it('equals the result of a linear search', () => {
    const ticks = fc
      .uniqueArray(fc.integer({ min: 0, max: 1_000 }))
      .map((all) => [...all].sort((a, b) => a - b));
    fc.assert(
      fc.property(ticks, fc.nat(1_000), fc.nat(1_000), (all, after, until) => {
        const expected = all.findLast((tick) => tick > after && tick <= until);
        expect(lastTick(scheduleOf(all), after, until)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds the last of millions of ticks without visiting each', () => {
    const every = everyPeriod(1_000);
    let looks = 0;
    const counted: JobSchedule = {
      next: (after) => {
        looks++;
        return every.next(after);
      },
    };
    const until = Date.parse('2026-11-21T10:00:00.500Z');
    expect(lastTick(counted, 0, until)).toBe(until - 500);
    expect(looks).toBeLessThan(100);
  });

  it('finds the last tick of a daily window', () => {
    const schedule = new CronSchedule('* * 3 * * *', 'UTC');
    const last = lastTick(schedule, Date.parse('2026-11-01T00:00:00Z'), Date.parse('2026-11-21T10:00:00Z'));
    expect(new Date(last!).toISOString()).toBe('2026-11-21T03:59:59.000Z');
  });
});
