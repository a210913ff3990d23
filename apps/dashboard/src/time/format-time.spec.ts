import { describe, expect, it } from '@jest/globals';
import { clockTime, duration, fullTime } from './format-time.js';

describe('duration', () => {
  it.each([
    [-5_000, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [3_600_000 + 5 * 60_000, '1 h 5 min'],
    [86_400_000 * 4 + 3_600_000, '4 d 1 h'],
    [Number.NaN, '–'],
  ])('%d ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('clockTime and fullTime', () => {
  it('give a dash for what is no time', () => {
    expect(clockTime('soon')).toBe('–');
    expect(fullTime('')).toBe('–');
  });

  it('give the time of day, and the day', () => {
    const noon = new Date(2026, 2, 1, 12, 0, 9);
    expect(clockTime(noon.toISOString())).toBe('12:00:09');
    expect(fullTime(noon.getTime())).toMatch(/1 Mar 2026.*12:00:09/);
  });
});
