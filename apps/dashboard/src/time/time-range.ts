import {
  HISTORY_RANGES,
  historyRangeOf,
  RESOLUTIONS,
  type HistoryRange,
} from '@detector-cluster/dashboard-protocol';

export const RANGE_NAMES: Readonly<Record<HistoryRange, string>> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
};

export const RANGES = HISTORY_RANGES;

/** The time range in the parameters of a page; null: none. */
export const rangeOf = ({ range }: Readonly<Record<string, string>>): HistoryRange | null =>
  historyRangeOf(range);

/** When the range begins. Milliseconds since 1970. */
export const beginOf = (range: HistoryRange, now: number): number => now - RESOLUTIONS[range].span;

/** Items from the range on; all without a range. @param timeOf milliseconds since 1970; null: unknown, not in any range */
export function withinRange<T>(
  items: readonly T[],
  range: HistoryRange | null,
  now: number,
  timeOf: (item: T) => number | null,
): readonly T[] {
  if (range === null) return items;
  const begin = beginOf(range, now);
  return items.filter((item) => (timeOf(item) ?? -Infinity) >= begin);
}
