import type { JobSchedule } from './job-schedule.js';

/** The last tick after `after` that is not after `until`; `undefined` when there is none. Whole milliseconds. */
export function lastTick(schedule: JobSchedule, after: number, until: number): number | undefined {
  let tick = schedule.next(after);
  if (tick > until) return undefined;
  let behind = until;
  // There may be millions of ticks after `tick`, so this bisects with the invariant: tick <= last <= behind.
  while (tick < behind) {
    const middle = tick + Math.floor((behind - tick) / 2);
    const next = schedule.next(middle);
    if (next <= until) tick = next;
    else if (middle === tick) return tick;
    else behind = middle;
  }
  return tick;
}
