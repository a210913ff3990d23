import type { Schedule } from './schedule.js';

/** The last tick after `after` that is not after `until`; `undefined` when there is none. Whole milliseconds. */
export function lastTick(schedule: Schedule, after: number, until: number): number | undefined {
  let tick = schedule.next(after);
  if (tick > until) return undefined;
  let behind = until;
  // From `tick` on there may be millions of ticks, so that the last one is bracketed: tick <= last <= behind.
  while (tick < behind) {
    const middle = tick + Math.floor((behind - tick) / 2);
    const next = schedule.next(middle);
    if (next <= until) tick = next;
    else if (middle === tick) return tick;
    else behind = middle;
  }
  return tick;
}
