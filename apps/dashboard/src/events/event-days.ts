import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { formatDay, formatDayName, instantOf } from '../format/instant.js';

export interface EventDay {
  /** `Today`, or a date. */
  readonly name: string;
  /** Newest first. */
  readonly events: readonly EventItem[];
}

/** Groups events, given oldest first, by day of the reader's calendar, newest first. */
export function eventDays(events: readonly EventItem[], now: number): readonly EventDay[] {
  const days = new Map<string, { name: string; events: EventItem[] }>();
  for (const event of events.toReversed()) {
    const at = instantOf(event.at);
    const key = at === null ? '' : formatDay(at);
    let day = days.get(key);
    if (day === undefined) {
      const name = at === null ? 'At an unknown time' : formatDayName(at, now);
      days.set(key, (day = { name, events: [] }));
    }
    day.events.push(event);
  }
  return Array.from(days.values());
}
