import { describe, expect, it } from 'vitest';
import { currentRebalance, rebalanceText } from './rebalance-progress.js';

const SINCE = '2026-01-01T00:00:00.000Z';
const row = { by: 'anna', since: SINCE, moved: 2, left: 3, endedAt: null };
const ended = { ...row, left: 0, endedAt: '2026-01-01T00:01:00.000Z' };

describe('the progress of a rebalance', () => {
  it('is shown until five minutes after the end', () => {
    const at = (seconds: number) => Date.parse(ended.endedAt) + seconds * 1_000;
    expect(currentRebalance({}, at(0))).toBeNull();
    expect(currentRebalance({ [SINCE]: row }, at(100_000))).toBe(row);
    expect(currentRebalance({ [SINCE]: ended }, at(300))).toBe(ended);
    expect(currentRebalance({ [SINCE]: ended }, at(301))).toBeNull();
  });

  it('shows what was moved, and at least how much is left', () => {
    expect(rebalanceText(row)).toBe('2 moved, at least 3 to go');
    expect(rebalanceText({ ...row, left: 0 })).toBe('2 moved');
    expect(rebalanceText(ended)).toBe('2 cameras moved');
    expect(rebalanceText({ ...ended, moved: 1 })).toBe('1 camera moved');
    expect(rebalanceText({ ...ended, moved: 0 })).toBe('nothing to move');
  });
});
