import type { Redis } from 'ioredis';
import type { RecordedClusterEvent } from '../../model/cluster-event.js';
import { InvalidInputError } from '../../model/subscription-identifier.js';
import type { ClusterKeys } from '../../store/cluster-keys.js';

const MOST = 1_000;

export interface EventPage {
  /** Only events after this one; default: the newest events. */
  readonly after?: string;
  /** Maximum number of events, up to 1,000. Default 100. */
  readonly limit?: number;
}

/** Reads `worker:events` on any process. */
export class EventHistory {
  constructor(
    private readonly redis: Redis,
    private readonly keys: Pick<ClusterKeys, 'events'>,
  ) {}

  /**
   * Oldest first: the last `limit` events, or the first ones `after` the given one.
   * @throws {InvalidInputError} naming `after` or `limit`
   */
  async list({ after, limit = 100 }: EventPage = {}): Promise<RecordedClusterEvent[]> {
    if (after !== undefined && !/^\d{1,16}-\d{1,16}$/.test(after))
      throw new InvalidInputError('after', `must be an eventId of listEvents, got ${JSON.stringify(after)}`);
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
      throw new InvalidInputError('limit', `must be a whole number from 1 to ${MOST}`);
    const entries =
      after === undefined
        ? (await this.redis.xrevrange(this.keys.events, '+', '-', 'COUNT', limit)).toReversed()
        : await this.redis.xrange(this.keys.events, `(${after}`, '+', 'COUNT', limit);
    return entries.flatMap(([id, fields]) => toEvent(id, fields) ?? []);
  }
}

/** Null if unreadable. */
function toEvent(eventId: string, flat: readonly string[]): RecordedClusterEvent | null {
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i]!, flat[i + 1]!);
  try {
    const details = JSON.parse(fields.get('details') ?? '{}') as object;
    const { type, at, term } = Object.fromEntries(fields);
    return { ...details, eventId, type, at, term: Number(term) } as RecordedClusterEvent;
  } catch {
    return null;
  }
}
