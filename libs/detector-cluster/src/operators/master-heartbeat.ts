import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { FencedStore } from '@detector-cluster/election/fence';
import type { ClusterFreshness } from '../shared/cluster-state.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { ListedTimer } from '../shared/cluster-timers.js';
import { readJson } from '../shared/read-json.js';

/** Interval of heartbeats. Milliseconds. */
const INTERVAL = 2_000;

/** Readers compute the age of a heartbeat from its remaining TTL, so that no two clocks are compared. Milliseconds. */
const LIFETIME = 24 * 3_600_000;

/** State is stale when no master has confirmed it for this time: three masters in a row may fail within that time. Milliseconds. */
export const STALE_AFTER = 10_000;

export interface HeartbeatOptions {
  readonly store: FencedStore;
  readonly keys: Pick<ClusterKeys, 'master'>;
  readonly processId: string;
  /** See {@link SealKey}. */
  readonly sealKey: string;
  readonly mayAct: () => boolean;
  readonly timer: Pick<ListedTimer, 'repeat'>;
}

/**
 * Shows every process that a live master keeps the cluster state up to date. The write passes the fence, so an idle master
 * notices within 2 s that a master with a higher term exists.
 */
export class MasterHeartbeat {
  private cancel = () => {};

  constructor(private readonly options: HeartbeatOptions) {}

  start(): void {
    this.cancel = this.options.timer.repeat(() => this.beat(), INTERVAL);
    this.beat();
  }

  stop(): void {
    this.cancel();
  }

  /** Writes the record now. The first call raises the fence in the same step. */
  async write(): Promise<void> {
    const { keys, processId, sealKey, store } = this.options;
    const record = JSON.stringify({ processId, term: store.term, sealKey });
    await store.write([['SET', keys.master, record, 'PX', LIFETIME]]);
  }

  private beat(): void {
    // The store reports a fenced write; if Redis is unavailable, the next heartbeat follows soon.
    if (this.options.mayAct()) this.write().catch(() => undefined);
  }
}

const recordSchema = z.object({
  processId: z.string(),
  term: z.number(),
  /** For this term only; missing if another program has written the record. */
  sealKey: z.string().optional().catch(undefined),
});

/** The last heartbeat of any master. */
export interface Heartbeat extends Readonly<z.infer<typeof recordSchema>> {
  /** Age in milliseconds. */
  readonly age: number;
}

/** Null when no master has written one in the last 24 h, or Redis has lost it. */
export async function readHeartbeat(
  redis: Pick<Redis, 'get' | 'pttl'>,
  { master }: Pick<ClusterKeys, 'master'>,
): Promise<Heartbeat | null> {
  const [text, left] = await Promise.all([redis.get(master), redis.pttl(master)]);
  const record = left < 0 ? null : readJson(recordSchema, text);
  return record && { ...record, age: Math.max(0, LIFETIME - left) };
}

export function freshnessOf(heartbeat: Heartbeat | null): ClusterFreshness {
  if (heartbeat === null) return { asOf: null, stale: true };
  const { age } = heartbeat;
  return { asOf: new Date(Date.now() - age).toISOString(), stale: age > STALE_AFTER };
}
