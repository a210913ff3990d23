/** Keys and channels of one election. All share the prefix, which on Redis Cluster carries a hash tag: `{name}`. */
export interface ElectionKeys {
  /** Hash: owner, term, seq, mode; expires with the lease. */
  readonly lease: string;
  /** String: id of the leader; expires with the lease. */
  readonly master: string;
  /** String: last renewal, milliseconds of the server's clock; expires with the lease. */
  readonly heartbeat: string;
  /** String: the highest term granted; stays. */
  readonly term: string;
  /** Channel: one JSON message `{term, owner, reason}` for each acquisition and release. */
  readonly changed: string;
}

export function electionKeys(lockName: string): ElectionKeys {
  return {
    lease: `${lockName}:lease`,
    master: `${lockName}:master`,
    heartbeat: `${lockName}:heartbeat`,
    term: `${lockName}:term`,
    changed: `${lockName}:changed`,
  };
}

/** The candidate that campaigns as `owner`, which is `<candidate id>:<number of the campaign>`. */
export function candidateOfOwner(owner: string): string {
  return owner.slice(0, owner.lastIndexOf(':'));
}
