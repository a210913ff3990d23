import { describe, expect, it } from '@jest/globals';
import { RECENT_START, restartProgress } from './restart-progress.js';

const NOW = Date.parse('2026-01-02T03:04:05Z');

const progressAt = (...ages: number[]) =>
  restartProgress(
    ages.map((age) => ({ startedAt: new Date(NOW - age).toISOString() })),
    NOW,
  );

describe('restartProgress', () => {
  it('counts the processes that started recently while others run since before', () => {
    expect(progressAt(1_000, RECENT_START, 2 * RECENT_START)).toEqual({ restarted: 1, total: 3 });
    expect(progressAt(1_000, 60_000, 2 * RECENT_START)).toEqual({ restarted: 2, total: 3 });
  });

  it('is null before a restart begins, once all have restarted, and without processes', () => {
    expect(progressAt(RECENT_START, 2 * RECENT_START)).toBeNull();
    expect(progressAt(1_000, RECENT_START - 1)).toBeNull();
    expect(progressAt()).toBeNull();
  });
});
