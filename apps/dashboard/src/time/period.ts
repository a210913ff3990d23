import { historyRangeOf, RESOLUTIONS, type HistoryRange } from '@detector-cluster/dashboard-protocol';
import { formatDay, formatTime, instantOf, instantOnWall } from './instant.js';

export const RANGE_NAMES: Readonly<Record<HistoryRange, string>> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
};

/** The time range in the parameters of a page; null: none. */
export const rangeOf = ({ range }: Readonly<Record<string, string>>): HistoryRange | null =>
  historyRangeOf(range);

/** When the range begins, as the service is asked for it; empty without a range. @param now milliseconds since 1970 */
export const fromOf = (range: HistoryRange | null, now: number): string =>
  range === null ? '' : new Date(beginOf(range, now)).toISOString();

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

/** The times that a search is limited to, as the address of a page has them: a range until now, or a begin and an end. */
export interface Period {
  readonly range: HistoryRange | null;
  /** ISO 8601; empty: none. */
  readonly from: string;
  readonly to: string;
}

/** What the service is asked for. */
export interface PeriodQuery {
  /** ISO 8601; empty: any. */
  readonly from: string;
  readonly to?: string;
}

export function periodOf(parameters: Readonly<Record<string, string>>): Period {
  const { from = '', to = '' } = parameters;
  return { range: rangeOf(parameters), from, to };
}

/** Why a search cannot be limited to the period, as a sentence for people; null if it can. */
export function periodProblem({ range, from, to }: Period): string | null {
  for (const [name, text] of [
    ['From', from],
    ['To', to],
  ] as const)
    if (text !== '' && instantOf(text) === null) return `“${name}” is not a time.`;
  if (range !== null && from + to !== '') return 'Choose a time range, or “From” and “To”, not both.';
  if (from !== '' && to !== '' && instantOf(from)! >= instantOf(to)!) return '“To” must be after “From”.';
  return null;
}

/** @param now milliseconds since 1970 */
export function periodQuery({ range, from, to }: Period, now: number): PeriodQuery {
  return range === null ? { from, to } : { from: fromOf(range, now) };
}

/** The value of a field for a date and a time by the clock of the reader; empty for a text that is no instant. */
export function fieldOf(iso: string): string {
  const ms = instantOf(iso);
  return ms === null ? '' : `${formatDay(ms)}T${formatTime(ms)}`;
}

/** The instant that such a field says; empty: none. */
export function instantInField(value: string): string {
  const ms = instantOnWall(value);
  return ms === null ? '' : new Date(ms).toISOString();
}
