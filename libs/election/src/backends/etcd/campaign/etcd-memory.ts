import type { EtcdHeader, Int64 } from '../client/etcd-api.js';

/** What outlives a campaign: what one backend has seen of its store, and what it owes it. */
export class EtcdMemory {
  /** The highest term ever seen. */
  floor = 0;
  /** Leases that were given up, and that etcd could not be told to drop. */
  readonly owed = new Set<Int64>();
  /** Until when a leader from before a loss of data may still be acting. Monotonic, milliseconds. */
  quietUntil = -Infinity;
  private cluster: string | undefined;
  private revision = 0;

  /** @returns whether the store is not the one from before, or has forgotten something: it was made anew, or from a backup. */
  hasLostData({ cluster_id, revision }: EtcdHeader): boolean {
    const lost =
      (this.cluster !== undefined && this.cluster !== cluster_id) || Number(revision) < this.revision;
    this.cluster = cluster_id;
    this.revision = Number(revision);
    return lost;
  }
}
