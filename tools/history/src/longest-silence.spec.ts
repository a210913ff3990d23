import { describe, expect, it } from 'vitest';
import { longestSilence, totalLength } from './longest-silence.js';

const within = { from: 0, to: 100 };

describe('longestSilence', () => {
  it('finds the longest time between two instants', () => {
    expect(longestSilence([10, 20, 60, 90], within, [])).toEqual({ from: 20, to: 60, ms: 40 });
  });

  it('counts the time before the first and after the last instant', () => {
    expect(longestSilence([50, 55, 60], within, []).ms).toBe(50);
    expect(longestSilence([30], within, []).ms).toBe(70);
    expect(longestSilence([], within, []).ms).toBe(100);
  });

  it('ignores everything outside of the span', () => {
    expect(longestSilence([-50, 5, 95, 300], within, []).ms).toBe(90);
  });

  it('does not count excused parts, and counts overlapping ones once', () => {
    const excused = [
      { from: 40, to: 60 },
      { from: 30, to: 50 },
      { from: 70, to: 75 },
    ];
    expect(longestSilence([20, 90], within, excused)).toEqual({ from: 20, to: 90, ms: 35 });
  });

  it('counts the part of a silence that exceeds its excuse', () => {
    expect(longestSilence([10, 90], within, [{ from: 0, to: 50 }]).ms).toBe(40);
    expect(longestSilence([10, 90], within, [{ from: 0, to: 100 }]).ms).toBe(0);
  });

  it('prefers a shorter silence without an excuse', () => {
    const excused = [{ from: 10, to: 60 }];
    expect(longestSilence([10, 60, 90], within, excused)).toEqual({ from: 60, to: 90, ms: 30 });
  });
});

it('totalLength counts overlapping parts once', () => {
  const spans = [
    { from: 5, to: 9 },
    { from: 0, to: 2 },
    { from: 1, to: 6 },
  ];
  expect(totalLength(spans)).toBe(9);
  expect(totalLength([])).toBe(0);
});
