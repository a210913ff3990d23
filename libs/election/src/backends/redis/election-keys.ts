import { channelPrefix } from './connection/redis-source.js';

/** Keys and channels of one election. All share the prefix, which on Redis Cluster carries a hash tag: `{name}`. */
export interface ElectionKeys {
  /** Hash: owner, term, seq, mode, validity; expires with the lease. */
  readonly lease: string;
  /** String: id of the leader; expires with the lease. */
  readonly master: string;
  /** String: last renewal, milliseconds of the server's clock; expires with the lease. */
  readonly heartbeat: string;
  /** String: the highest term granted; stays. */
  readonly term: string;
  /**
   * String: how long the holder of the last lease may act without a confirmation, milliseconds by the fastest clock. Stays when the lease
   * expires, until the next one; gone when the lease was released.
   */
  readonly validity: string;
  /**
   * Prefix of channels. A candidate's process listens to `<presence><candidate id>` and
   * `<presence><candidate id>:<incarnation>` for as long as it lives.
   */
  readonly presence: string;
  /** Channel: one JSON message `{term, owner, reason}` for each acquisition and release. */
  readonly changed: string;
}

/** @param database number of the Redis database that holds the keys */
export function electionKeys(lockName: string, database = 0): ElectionKeys {
  const channels = channelPrefix(`${lockName}:`, database);
  return {
    lease: `${lockName}:lease`,
    master: `${lockName}:master`,
    heartbeat: `${lockName}:heartbeat`,
    term: `${lockName}:term`,
    validity: `${lockName}:validity`,
    presence: `${channels}presence:`,
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
