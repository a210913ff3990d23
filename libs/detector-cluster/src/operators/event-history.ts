import { InvalidInputError } from '@detector-cluster/placement/internal';
import type { Redis } from 'ioredis';
import type { RecordedClusterEvent } from '../shared/cluster-event.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';

const MAX_EVENTS = 1_000;

export interface EventPage {
  /** Only events after this one; default: the newest events. */
  readonly after?: string;
  /** Only the last events before this one. Not together with `after`. */
  readonly before?: string;
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
   * Oldest first: the last `limit` events, the first ones `after` the given one, or the last ones `before` the given one.
   * @throws {InvalidInputError} naming `after`, `before` or `limit`
   */
  async list({ after, before, limit = 100 }: EventPage = {}): Promise<RecordedClusterEvent[]> {
    for (const [field, id] of Object.entries({ after, before }))
      if (id !== undefined && !/^\d{1,16}-\d{1,16}$/.test(id))
        throw new InvalidInputError(field, `must be an eventId of listEvents, got ${JSON.stringify(id)}`);
    if (after !== undefined && before !== undefined)
      throw new InvalidInputError('before', 'must not be given together with "after"');
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_EVENTS)
      throw new InvalidInputError('limit', `must be a whole number from 1 to ${MAX_EVENTS}`);
    const end = before === undefined ? '+' : `(${before}`;
    const entries =
      after === undefined
        ? (await this.redis.xrevrange(this.keys.events, end, '-', 'COUNT', limit)).toReversed()
        : await this.redis.xrange(this.keys.events, `(${after}`, '+', 'COUNT', limit);
    return entries.flatMap(([id, fields]) => toEvent(id, fields) ?? []);
  }
}

/** Null if unreadable. */
function toEvent(eventId: string, flat: readonly string[]): RecordedClusterEvent | null {
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i]!, flat[i + 1]!);
  try {
    const details = JSON.parse(fields.get('details') ?? '{}') as unknown;
    const { type, at, term } = Object.fromEntries(fields);
    if (typeof details !== 'object' || type === undefined || Number.isNaN(Date.parse(at ?? ''))) return null;
    return { ...details, eventId, type, at, term: Number(term) || 0 } as RecordedClusterEvent;
  } catch {
    return null;
  }
}
