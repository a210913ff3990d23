import { UnreadableFields } from '@detector-cluster/election/internal';
import { readHash } from '@detector-cluster/election/internal/redis';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../shared/cluster-keys.js';

/** Display → session. Null: the session was cleared. The master sends null to workers like any other value. */
export type Sessions = ReadonlyMap<string, number | null>;

/**
 * The session of each display, a field of a hash in Redis each. It outlives processes and masters. Any process writes, and the
 * last write wins. The master reads. A cleared session stays as `null`. Redis errors pass through.
 */
export class SessionStore {
  private readonly key: string;
  private readonly unreadable: UnreadableFields;

  /** @param onUnreadable see {@link UnreadableFields} */
  constructor(
    private readonly redis: Redis,
    keys: Pick<ClusterKeys, 'sessions'>,
    onUnreadable: (message: string) => void,
  ) {
    this.key = keys.sessions;
    this.unreadable = new UnreadableFields(this.key, onUnreadable);
  }

  async put(displayId: string, sessionId: number | null): Promise<void> {
    await this.redis.hset(this.key, displayId, String(sessionId));
  }

  async all(): Promise<Sessions> {
    const unreadable: string[] = [];
    const sessions = read(await readHash(this.redis, this.key), unreadable);
    this.unreadable.note(unreadable);
    return sessions;
  }

  /** The sessions of some displays, without displays that have never had one. */
  async of(displayIds: readonly string[]): Promise<Sessions> {
    if (displayIds.length === 0) return new Map();
    const values = await this.redis.hmget(this.key, ...displayIds);
    return read(displayIds.flatMap((id, i) => (values[i] == null ? [] : [[id, values[i]] as const])));
  }
}

/** A value that is no session counts as absent, because a newer version may have written it. */
function read(
  entries: Iterable<readonly [string, string]>,
  unreadable: string[] = [],
): Map<string, number | null> {
  const sessions = new Map<string, number | null>();
  for (const [displayId, text] of entries)
    if (text === 'null') sessions.set(displayId, null);
    else if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)))
      sessions.set(displayId, Number(text));
    else unreadable.push(displayId);
  return sessions;
}
