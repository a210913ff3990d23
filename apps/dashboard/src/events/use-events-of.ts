import type { EventItem, HistoryRange } from '@detector-cluster/dashboard-protocol';
import { useMemo } from 'preact/hooks';
import { now } from '../time/clock.js';
import { instantOf } from '../time/instant.js';
import { withinRange } from '../time/period.js';
import { mergeEvents } from './merge-events.js';

/** The beginning of a time range moves once a minute. */
const MINUTE = 60_000;

/** The events of a time range out of both lists, oldest first; all of them without a range. */
export function useEventsOf(
  range: HistoryRange | null,
  older: readonly EventItem[],
  newer: readonly EventItem[],
): readonly EventItem[] {
  const minute = range === null ? 0 : Math.floor(now.value / MINUTE) * MINUTE;
  return useMemo(
    () => withinRange(mergeEvents(older, newer), range, minute, ({ at }) => instantOf(at)),
    [older, newer, range, minute],
  );
}
