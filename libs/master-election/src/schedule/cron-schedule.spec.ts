import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CronSchedule } from './job-schedule.js';

const from = Date.parse('2025-01-01T00:00:00Z');
const until = Date.parse('2027-01-01T00:00:00Z');

describe('CronSchedule', () => {
  it.each([
    ['0 3 * * *', 'UTC', '2026-11-21T03:00:00Z', '2026-11-22T03:00:00.000Z'],
    ['0 3 * * *', 'UTC', '2026-11-21T02:59:59.999Z', '2026-11-21T03:00:00.000Z'],
    ['*/10 * * * * *', 'UTC', '2026-11-21T00:00:00.001Z', '2026-11-21T00:00:10.000Z'],
    ['0 3 * * *', 'Europe/Berlin', '2026-07-01T00:30:00Z', '2026-07-01T01:00:00.000Z'],
    ['@daily', 'UTC', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['0 12 * * mon', 'UTC', '2026-11-21T00:00:00Z', '2026-11-23T12:00:00.000Z'],
    ['0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('%s in %s after %s is %s', (expression, timeZone, after, expected) => {
    expect(new Date(new CronSchedule(expression, timeZone).next(Date.parse(after))).toISOString()).toBe(
      expected,
    );
  });

  it('ticks for the hour that is skipped in spring, and for the hour that is repeated in autumn', () => {
    const berlin = new CronSchedule('30 2 * * *', 'Europe/Berlin');
    const spring = berlin.next(Date.parse('2026-03-28T12:00:00Z'));
    expect(new Date(spring).toISOString()).toBe('2026-03-29T01:00:00.000Z');
    expect(berlin.next(Date.parse('2026-10-24T12:00:00Z'))).toBe(Date.parse('2026-10-25T00:30:00Z'));
  });

  it('moves forward in every time zone, even when clocks change', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('* * * * *', '*/20 * * * *', '30 2 * * *', '0 * * * *', '15,45 1-3 * * *'),
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
        fc.integer({ min: from, max: until }),
        (expression, timeZone, start) => {
          const schedule = new CronSchedule(expression, timeZone);
          let after = start;
          for (let i = 0; i < 5; i++) {
            const tick = schedule.next(after);
            expect(tick).toBeGreaterThan(after);
            after = tick;
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['61 * * * *', 'UTC'],
    ['* * * *', 'UTC'],
    ['often', 'UTC'],
    ['', 'UTC'],
    ['0 0 31 2 *', 'UTC'],
    ['* * * * *', 'Mars/Olympus'],
  ])('refuses %p in %s', (expression, timeZone) => {
    expect(() => new CronSchedule(expression, timeZone)).toThrow();
  });
});
