import { describe, expect, it } from 'vitest';
import { formatDay, formatDayName, formatInstant, formatTime, instantOf, formatAge } from './instant.js';

const at = (...parts: [number, number, number, number, number, number]) => new Date(...parts).getTime();

describe('instants', () => {
  it('are read only from ISO 8601', () => {
    expect(instantOf('2026-11-21T16:48:26.000Z')).toBe(Date.UTC(2026, 10, 21, 16, 48, 26));
    expect(instantOf('')).toBeNull();
    expect(instantOf('soon')).toBeNull();
  });

  it("are shown in the reader's time zone", () => {
    const night = at(2026, 10, 1, 0, 5, 9);
    expect(formatTime(night)).toBe('00:05:09');
    expect(formatDay(night)).toBe('2026-11-01');
    expect(formatInstant(night)).toMatch(/^2026-11-01 00:05:09 (GMT|UTC)/);
  });

  it('have days with names, also over the end of a month', () => {
    const today = '2026-11-01';
    expect(formatDayName(at(2026, 10, 1, 0, 0, 0), today)).toBe('Today');
    expect(formatDayName(at(2026, 9, 31, 23, 59, 59), today)).toBe('Yesterday');
    expect(formatDayName(at(2026, 9, 30, 12, 0, 0), today)).toMatch(/^Friday,? 30 October 2026$/);
  });
});

describe('formatAge', () => {
  it.each([
    [-5_000, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
    [86_399_999, '23 h 59 min'],
    [86_400_000, '1 d'],
    [100_000_000, '1 d 3 h'],
    [864_000_000, '10 d'],
  ])('%d ms are %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });
});
