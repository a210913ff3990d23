import type { EventLine } from './event-lines.js';
import { formatDay, formatDayName, instantOf } from '../format/instant.js';

export interface EventDay {
  /** `Today`, or a date. */
  readonly name: string;
  /** Newest first. */
  readonly lines: readonly EventLine[];
}

/** Groups lines, given oldest first, by day of the reader's calendar, newest first. A line belongs to the day of its end. */
export function eventDays(lines: readonly EventLine[], now: number): readonly EventDay[] {
  const days = new Map<string, { name: string; lines: EventLine[] }>();
  for (const line of lines.toReversed()) {
    const at = instantOf(line.at(-1)!.at);
    const key = at === null ? '' : formatDay(at);
    let day = days.get(key);
    if (day === undefined) {
      const name = at === null ? 'At an unknown time' : formatDayName(at, now);
      days.set(key, (day = { name, lines: [] }));
    }
    day.lines.push(line);
  }
  return Array.from(days.values());
}
