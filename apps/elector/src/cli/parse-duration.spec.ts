import { describe, expect, it } from 'vitest';
import { parseDuration, parsePositiveDuration } from './parse-duration.js';

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['1h', 3_600_000],
    ['0s', 0],
  ])('reads %s', (text, duration) => {
    expect(parseDuration(text)).toBe(duration);
  });

  it.each(['', '30', 's', '-1s', '1 s', '1d', '1e3s', 'Infinityms'])(
    'refuses %j, with the remedy',
    (text) => {
      expect(() => parseDuration(text)).toThrow('give a number with a unit: 500ms, 30s, 5m or 1h');
    },
  );

  it('refuses what no timer can measure, and no time at all where some must pass', () => {
    expect(() => parseDuration('1000h')).toThrow('at most 24 days');
    expect(() => parsePositiveDuration('0s')).toThrow('more than 0');
  });
});
