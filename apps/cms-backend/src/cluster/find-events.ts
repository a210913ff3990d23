import { namesWorker } from '@detector-cluster/dashboard-protocol';
import type { DetectorCluster, RecordedClusterEvent } from '@detector-cluster/detector-cluster';
import { containsWords, cursorAt, type Page, placeIn } from '../http/pagination.js';
import { EVENT_ID, type EventsQuery } from './journal.schema.js';
import { workerNames } from './worker-names.js';

/** The cluster lists at most this many events at once. */
const READ = 1_000;

/** The clock of a master is at most this far ahead of the clock of Redis. Milliseconds. */
const CLOCK_DIFFERENCE = 3_600_000;

/**
 * Events that match the query. The id of an event comes from the clock of Redis. `at` comes from the clock of the master that recorded
 * the event, even if Redis was unavailable then. So `from` limits only roughly what is read.
 */
export async function findEvents(
  cluster: Pick<DetectorCluster, 'getState' | 'listEvents'>,
  { limit, cursor, sort, after, type, text = '', worker, from, to }: EventsQuery,
): Promise<Page<RecordedClusterEvent>> {
  const names = await workerNames(cluster, text);
  const order = sort ?? (after === undefined ? '' : 'at');
  const backwards = order !== 'at';
  const last = cursor === undefined ? undefined : placeIn(cursor, EVENT_ID, order);
  const earliest = from === undefined ? 0 : Math.max(0, from.getTime() - CLOCK_DIFFERENCE);
  const matches = (event: RecordedClusterEvent) =>
    (after === undefined || isAfter(event.eventId, after)) &&
    (type === undefined || type.includes(event.type)) &&
    (worker === undefined || namesWorker(event, worker)) &&
    (text === '' || containsWords(textsOf(event, names).join('\n'), text)) &&
    isWithin(event.at, from, to);
  const filtered = text !== '' || [after, type, worker, from, to].some((filter) => filter !== undefined);
  // One more event than requested shows whether there is another page.
  const size = filtered ? READ : Math.min(limit + 1, READ);

  const found: RecordedClusterEvent[] = [];
  let place = last ?? (backwards ? undefined : (after ?? `${earliest}-0`));
  while (found.length <= limit) {
    const events = await cluster.listEvents({
      limit: size,
      ...(place !== undefined && { [backwards ? 'before' : 'after']: place }),
    });
    if (backwards) events.reverse();
    found.push(...events.filter(matches));
    place = events.at(-1)?.eventId;
    if (place === undefined || (backwards && timeOf(place) < earliest)) break;
    if (backwards && after !== undefined && !isAfter(place, after)) break;
  }

  const items = found.slice(0, limit);
  const nextCursor = found.length > limit ? cursorAt(items.at(-1)!.eventId, order) : null;
  if (order === '') items.reverse();
  return { items, nextCursor };
}

function textsOf(event: RecordedClusterEvent, names: ReadonlyMap<unknown, string>): unknown[] {
  return Object.values(event).flatMap((value) => [value, names.get(value)]);
}

/** Whether an event is newer than another. Ids are `<milliseconds>-<number>`. */
function isAfter(eventId: string, other: string): boolean {
  const [time = 0, number = 0] = eventId.split('-').map(Number);
  const [otherTime = 0, otherNumber = 0] = other.split('-').map(Number);
  return time > otherTime || (time === otherTime && number > otherNumber);
}

/** Whether a time (ISO 8601) is in a range. A text that is no time is only in the range without limits. */
export function isWithin(at: string, from: Date | undefined, to: Date | undefined): boolean {
  const time = Date.parse(at);
  return (from === undefined || time >= from.getTime()) && (to === undefined || time < to.getTime());
}

/** When Redis stored the event. Milliseconds since 1970. */
function timeOf(eventId: string): number {
  return Number(eventId.split('-', 1)[0]);
}
