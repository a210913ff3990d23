import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { instantOf, formatDay, formatDayName } from '../time/instant.js';
import { eventKind } from './event-sentence.js';

/** One line of a timeline: one event, or many of one type that happened together. Oldest first, never empty. */
export type EventLine = readonly [EventItem, ...EventItem[]];

/** Fewer events have a line each. */
const MIN_GROUP = 5;

/** Events of one line are at most so far apart, each from the next. Milliseconds. */
const PAUSE = 10_000;

/**
 * Puts runs of events of one type and term into one line each: after a failover, all workers come online.
 * @param events oldest first
 */
export function eventLines(events: readonly EventItem[]): readonly EventLine[] {
  const runs: [EventItem, ...EventItem[]][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run !== undefined && belongTogether(run.at(-1)!, event)) run.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run): EventLine[] => (run.length < MIN_GROUP ? run.map((event) => [event]) : [run]));
}

function belongTogether(before: EventItem, event: EventItem): boolean {
  if (before.type !== event.type || before.term !== event.term) return false;
  if (eventKind(event.type).many === undefined) return false;
  const [from, to] = [instantOf(before.at), instantOf(event.at)];
  return from !== null && to !== null && to - from <= PAUSE;
}

export interface EventDay {
  /** `Today`, or a date. */
  readonly name: string;
  /** Newest first. */
  readonly lines: readonly EventLine[];
}

/** Groups lines, given oldest first, by day of the reader's calendar, newest first. A line belongs to the day of its end. @param today `2026-11-21` */
export function eventDays(lines: readonly EventLine[], today: string): readonly EventDay[] {
  const days = new Map<string, { name: string; lines: EventLine[] }>();
  for (const line of lines.toReversed()) {
    const at = instantOf(line.at(-1)!.at);
    const key = at === null ? '' : formatDay(at);
    let day = days.get(key);
    if (day === undefined) {
      const name = at === null ? 'At an unknown time' : formatDayName(at, today);
      days.set(key, (day = { name, lines: [] }));
    }
    day.lines.push(line);
  }
  return Array.from(days.values());
}
