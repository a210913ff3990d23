import { namesWorker } from '@detector-cluster/dashboard-protocol';
import type { DetectorCluster, RecordedClusterEvent } from '@detector-cluster/detector-cluster';
import { type Page, wrongCursor } from '../http/pagination.js';
import type { EventsQuery } from './journal.schema.js';

/** The cluster lists at most this many events at once. */
const READ = 1_000;

/** No master's clock is further ahead of the clock of Redis. Milliseconds. */
const CLOCK_DIFFERENCE = 3_600_000;

/**
 * Events that match the query. Ids of events rise with the clock of Redis, while `at` is by the clock of the master that recorded the event,
 * also if Redis was unavailable for a while. So `from` limits what is read only roughly.
 */
export async function findEvents(
  cluster: Pick<DetectorCluster, 'listEvents'>,
  { limit, cursor, sort, type, worker, from, to }: EventsQuery,
): Promise<Page<RecordedClusterEvent>> {
  const backwards = isBackwards(cursor, sort);
  const earliest = from === undefined ? 0 : Math.max(0, from.getTime() - CLOCK_DIFFERENCE);
  const matches = (event: RecordedClusterEvent) =>
    (type === undefined || type.includes(event.type)) &&
    (worker === undefined || namesWorker(event, worker)) &&
    isWithin(event.at, from, to);
  const filtered = [type, worker, from, to].some((filter) => filter !== undefined);
  // One event more than asked for tells whether a further page exists.
  const size = filtered ? READ : Math.min(limit + 1, READ);

  const found: RecordedClusterEvent[] = [];
  let place = cursor?.replace(/^-/, '') ?? (backwards ? undefined : `${earliest}-0`);
  while (found.length <= limit) {
    const events = await cluster.listEvents({
      limit: size,
      ...(place !== undefined && { [backwards ? 'before' : 'after']: place }),
    });
    if (backwards) events.reverse();
    found.push(...events.filter(matches));
    place = events.at(-1)?.eventId;
    if (place === undefined || (backwards && timeOf(place) < earliest)) break;
  }

  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1)!.eventId : null;
  if (backwards && sort === undefined) items.reverse();
  return { items, nextCursor: last !== null && backwards ? `-${last}` : last };
}

/** A cursor to older events begins with "-". */
function isBackwards(cursor: string | undefined, sort: EventsQuery['sort']): boolean {
  if (cursor === undefined) return sort !== 'at';
  const backwards = cursor.startsWith('-');
  if (sort !== undefined && backwards !== (sort === '-at')) throw wrongCursor();
  return backwards;
}

function isWithin(at: string, from: Date | undefined, to: Date | undefined): boolean {
  const time = Date.parse(at);
  return (from === undefined || time >= from.getTime()) && (to === undefined || time < to.getTime());
}

/** When Redis stored the event. Milliseconds since 1970. */
function timeOf(eventId: string): number {
  return Number(eventId.split('-', 1)[0]);
}
