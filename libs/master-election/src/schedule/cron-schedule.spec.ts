import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CronSchedule } from './cron-schedule.js';

const from = Date.parse('2025-01-01T00:00:00Z');
const until = Date.parse('2027-01-01T00:00:00Z');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Change {
  readonly at: number;
  /** How far the clocks on the wall are moved. Milliseconds, negative when they are set back. */
  readonly by: number;
}

/** What the clocks on the wall show, written as an instant of UTC. Independent of the code under test, which reads names of offsets. */
function wallOf(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (instant) => {
    const parts = format.formatToParts(instant).map(({ type, value }) => [type, Number(value)] as const);
    const { year, month, day, hour, minute } = Object.fromEntries(parts);
    return Date.UTC(year!, month! - 1, day, hour, minute);
  };
}

/** Every change from 2025 to 2026. Each lasts for a week and is at a full minute. */
function changesOf(wall: (instant: number) => number): Change[] {
  const shift = (a: number, b: number) => wall(b) - wall(a) - (b - a);
  const changes: Change[] = [];
  for (let week = from; week < until; week += 168 * HOUR) {
    let [before, after] = [week, week + 168 * HOUR];
    const by = shift(before, after);
    if (by === 0) continue;
    while (after - before > MINUTE) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
      if (shift(before, middle) === 0) before = middle;
      else after = middle;
    }
    changes.push({ at: after, by });
  }
  return changes;
}

/** One zone for each different set of changes. */
function zonesWithChanges() {
  const zones = new Map<string, { zone: string; wall: (instant: number) => number; changes: Change[] }>();
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const wall = wallOf(zone);
    const changes = changesOf(wall);
    const key = JSON.stringify(changes.map(({ at, by }) => [at, by, wall(at)]));
    if (changes.length > 0) zones.set(key, { zone, wall, changes });
  }
  return [...zones.values()];
}

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

  it('ticks once for the hour that is skipped in spring, and twice for the hour that is repeated in autumn', () => {
    const berlin = new CronSchedule('30 2 * * *', 'Europe/Berlin');
    const spring = berlin.next(Date.parse('2026-03-28T12:00:00Z'));
    expect(new Date(spring).toISOString()).toBe('2026-03-29T01:00:00.000Z');
    const autumn = berlin.next(Date.parse('2026-10-24T12:00:00Z'));
    expect(new Date(autumn).toISOString()).toBe('2026-10-25T00:30:00.000Z');
    expect(new Date(berlin.next(autumn)).toISOString()).toBe('2026-10-25T01:30:00.000Z');
  });

  it('ticks whenever the clocks on the wall match, around every change of every time zone', () => {
    const expressions: [string, (hour: number, minute: number) => boolean][] = [
      ['*/20 * * * *', (_hour, minute) => minute % 20 === 0],
      ['30 * * * *', (_hour, minute) => minute === 30],
      ['30 2 * * *', (hour, minute) => hour === 2 && minute === 30],
      ['15 0-1 * * *', (hour, minute) => hour <= 1 && minute === 15],
      ['45 23 * * *', (hour, minute) => hour === 23 && minute === 45],
    ];
    const zones = zonesWithChanges();
    expect(zones.length).toBeGreaterThan(20);
    for (const { zone, wall, changes } of zones)
      for (const [expression, matches] of expressions) {
        const schedule = new CronSchedule(expression, zone);
        const matchesAt = (time: number) =>
          matches(new Date(time).getUTCHours(), new Date(time).getUTCMinutes());
        for (const { at, by } of changes) {
          const expected = new Set<number>();
          for (let instant = at - 3 * HOUR; instant < at + 3 * HOUR; instant += MINUTE)
            if (matchesAt(wall(instant))) expected.add(instant);
          for (let skipped = wall(at) - by; skipped < wall(at); skipped += MINUTE)
            if (matchesAt(skipped)) expected.add(at);
          const ticks: number[] = [];
          for (let tick = at - 3 * HOUR - 1; (tick = schedule.next(tick)) < at + 3 * HOUR;) ticks.push(tick);
          expect([zone, expression, ...ticks]).toEqual([
            zone,
            expression,
            ...[...expected].toSorted((a, b) => a - b),
          ]);
        }
      }
  });

  it('has one tick for each day of two years, but two where a time occurs twice', () => {
    const berlin = new CronSchedule('30 2 * * *', 'Europe/Berlin');
    let count = 0;
    for (let tick = from; (tick = berlin.next(tick)) < until;) count++;
    expect(count).toBe(730 + 2);
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
