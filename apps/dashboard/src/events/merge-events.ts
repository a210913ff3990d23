import type { EventItem } from '@detector-cluster/dashboard-protocol';

/** Merges both lists, oldest first, without duplicates. */
export function mergeEvents(older: readonly EventItem[], newer: readonly EventItem[]): readonly EventItem[] {
  const [first] = newer;
  if (first === undefined) return older;
  // Nearly all older events precede the first new one, so only the rest is sorted.
  const before = older.filter(({ eventId }) => compareEventIds(eventId, first.eventId) < 0);
  const rest = [...older.slice(before.length), ...newer];
  const byId = new Map(rest.map((event) => [event.eventId, event]));
  return [...before, ...Array.from(byId.values()).sort((a, b) => compareEventIds(a.eventId, b.eventId))];
}

/** Ids are `<milliseconds>-<number>`. */
function compareEventIds(a: string, b: string): number {
  const [aTime = 0, aNumber = 0] = a.split('-').map(Number);
  const [bTime = 0, bNumber = 0] = b.split('-').map(Number);
  return aTime - bTime || aNumber - bNumber;
}
