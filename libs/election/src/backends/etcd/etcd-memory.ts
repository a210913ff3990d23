import { CampaignMemory } from '../../lease/campaign-memory.js';
import { readLeaseLength } from '../../util/clock.js';
import type { EtcdHeader } from './etcd-api.js';

/** The state that outlives a campaign: what one backend has seen of its store, and its pending calls to it. */
export class EtcdMemory extends CampaignMemory {
  /** Until when a leader from before a loss of data may still be acting. Monotonic, milliseconds. */
  quietUntil = -Infinity;
  private cluster: string | undefined;
  private revision = 0;

  /** @returns whether the store was replaced or has lost data, for instance because it was recreated or restored from a backup. */
  hasLostData({ cluster_id, revision }: EtcdHeader): boolean {
    const lost =
      (this.cluster !== undefined && this.cluster !== cluster_id) || Number(revision) < this.revision;
    this.cluster = cluster_id;
    this.revision = Number(revision);
    return lost;
  }
}

/** Who leads, as the leader has announced it; with `null`, that it has handed over. */
export interface LeaderRecord {
  readonly id: string | null;
  readonly term: number;
  /** How long its lease lasts without renewal, which a candidate waits for if the store has lost the lease; 0 when unknown. Milliseconds. */
  readonly ttl: number;
}

const VERSION = 1;

export function writeLeaderRecord({ id, term, ttl }: LeaderRecord): string {
  return JSON.stringify({ version: VERSION, id, term, ttl });
}

/** Reads a record; `undefined` when it is not one of this version. */
export function readLeaderRecord(text: string): LeaderRecord | undefined {
  try {
    const { version, id, term, ttl } = JSON.parse(text) as Record<string, unknown>;
    if (version !== VERSION || (typeof id !== 'string' && id !== null) || !Number.isSafeInteger(term))
      return undefined;
    return { id: id as string | null, term: term as number, ttl: readLeaseLength(ttl) ?? 0 };
  } catch {
    return undefined;
  }
}
