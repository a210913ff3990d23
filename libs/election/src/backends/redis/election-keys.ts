import { channelPrefix } from './connection/redis-source.js';

/** Keys and channels of one election. All share the prefix, which on Redis Cluster carries a hash tag: `{name}`. */
export type ElectionKeys = Readonly<ReturnType<typeof electionKeys>>;

/** @param database number of the Redis database that holds the keys */
export function electionKeys(lockName: string, database = 0) {
  const channels = channelPrefix(`${lockName}:`, database);
  return {
    /** Hash: owner, term, seq, mode, validity; expires with the lease. */
    lease: `${lockName}:lease`,
    /** String: id of the leader; expires with the lease. */
    master: `${lockName}:master`,
    /** String: last renewal, milliseconds of the server's clock; expires with the lease. */
    heartbeat: `${lockName}:heartbeat`,
    /** String: the highest term granted; stays. */
    term: `${lockName}:term`,
    /**
     * String: how long the holder of the last lease may act without a confirmation, milliseconds by the fastest clock. Stays when the
     * lease expires, until the next one; gone when the lease was released.
     */
    validity: `${lockName}:validity`,
    /**
     * Prefix of channels. A candidate's process listens to `<presence><candidate id>` and
     * `<presence><candidate id>:<incarnation>` for as long as it lives.
     */
    presence: `${channels}presence:`,
    /** Channel: one JSON message `{term, owner, reason}` for each acquisition and release. */
    changed: `${channels}changed`,
  };
}

/** Announced when leadership changes. Only a hint: a process that receives it reads the record. */
export interface ElectionNews {
  readonly term: number;
  readonly owner: string;
  readonly reason: 'acquired' | 'released';
}

/** Reads an announcement; `undefined` when it is not one. */
export function parseElectionNews(message: string): ElectionNews | undefined {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { term, owner, reason } = value as Partial<Record<keyof ElectionNews, unknown>>;
  if (typeof term !== 'number' || typeof owner !== 'string') return undefined;
  return reason === 'acquired' || reason === 'released' ? { term, owner, reason } : undefined;
}
