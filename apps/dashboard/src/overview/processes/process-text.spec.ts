import type { ProcessRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { processName, processNames, formatRanges, restartProgress, START_GAP } from './process-text.js';

const row = (processId: string, identifier: string) => ({ processId, identifier }) as ProcessRow;

describe('processNames', () => {
  const names = processNames({
    'a:1111': row('a:1111', 'a'),
    'b:2222': row('b:2222', 'b'),
    'b:3333': row('b:3333', 'b'),
  });

  it('distinguishes processes of the same name', () => {
    expect([...names.values()]).toEqual(['a', 'b …2222', 'b …3333']);
  });

  it('names a process that is gone by its id', () => {
    expect(processName(names, 'a:1111')).toBe('a');
    expect(processName(names, 'c:4444')).toBe('c:4444');
  });
});

describe('formatRanges', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[0, 1], '0–1'],
    [[0, 1, 2, 3, 4, 7, 9, 10], '0–4, 7, 9–10'],
  ])('writes %j as %j', (numbers, text) => {
    expect(formatRanges(numbers)).toBe(text);
  });
});

const NOW = Date.parse('2026-01-02T03:04:05Z');
const MINUTE = 60_000;

/** @param ages of the processes, in milliseconds */
const progressAt = (...ages: number[]) =>
  restartProgress(
    ages.map((age) => ({ startedAt: new Date(NOW - age).toISOString() })),
    NOW,
  );

describe('restartProgress', () => {
  it('counts the processes that started one after another while others run since before', () => {
    expect(progressAt(1_000, MINUTE, 60 * MINUTE)).toEqual({ restarted: 2, total: 3 });
    expect(progressAt(60 * MINUTE, 3 * MINUTE, MINUTE, 2 * MINUTE)).toEqual({ restarted: 3, total: 4 });
  });

  it('does not count backwards when a restart takes longer than the gap between two starts', () => {
    expect(progressAt(1_000, 9 * MINUTE, 18 * MINUTE, 27 * MINUTE, 600 * MINUTE)).toEqual({
      restarted: 4,
      total: 5,
    });
  });

  it('is null after a single start, which may follow a crash', () => {
    expect(progressAt(1_000, 60 * MINUTE, 60 * MINUTE)).toBeNull();
    expect(progressAt(1_000, 1_000 + START_GAP, 60 * MINUTE)).toBeNull();
  });

  it('is null when the last start is long ago, once all have restarted, and without processes', () => {
    expect(progressAt(START_GAP, START_GAP + 1_000, 60 * MINUTE)).toBeNull();
    expect(progressAt(START_GAP - 1, START_GAP, 60 * MINUTE)).toEqual({ restarted: 2, total: 3 });
    expect(progressAt(1_000, MINUTE, 2 * MINUTE)).toBeNull();
    expect(progressAt()).toBeNull();
  });

  it('does not count a process whose start is unknown', () => {
    const startedAt = new Date(NOW).toISOString();
    expect(restartProgress([{ startedAt }, { startedAt: 'soon' }], NOW)).toBeNull();
    expect(restartProgress([{ startedAt }, { startedAt }, { startedAt: 'soon' }], NOW)).toEqual({
      restarted: 2,
      total: 3,
    });
  });
});
