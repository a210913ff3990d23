import type { HistoryRecord } from './history-record.js';
import { MAX_URL_LENGTH, MAX_LINES } from './worker-lines.js';

const HUGE = 1e15;

/** A record with the longest text: each figure is above its limit or has a digit after the point, and there are too many workers. */
export function fullestRecord(at: number): HistoryRecord {
  return {
    at,
    samples: HUGE,
    detectionsPerSecond: 9_999_998.9,
    lagMs: HUGE,
    meanLoad: HUGE,
    highestLoad: HUGE,
    subscriptions: {
      active: 9_999_998.9,
      pending: 9_999_998.9,
      recovering: 9_999_998.9,
      failed: 9_999_998.9,
    },
    failovers: HUGE,
    loads: Array.from({ length: 2 * MAX_LINES }, () => HUGE),
  };
}

/** URLs of the given length, all different and sorted. */
export function urlsOf(count: number, length = MAX_URL_LENGTH): string[] {
  return Array.from({ length: count }, (_, n) => `ws://${String(n).padStart(length - 5, '0')}`);
}
