import type { FencedStore } from '@detector-cluster/election/fence';
import type { Redis } from 'ioredis';
import type { DeliveryKeys } from '../log/delivery-keys.js';
import { type InterestRecord, parseInterestRecord } from './interest-record.js';

/** The interests of all processes, in two hashes by process. */
export class RedisInterestStore {
  constructor(
    private readonly redis: Redis,
    /** Of the master's term. */
    private readonly store: FencedStore,
    private readonly keys: Pick<DeliveryKeys, 'interests' | 'interestsForgotten' | 'interestsSeen'>,
  ) {}

  /** By process: its interests, without unreadable records, and the version that the master has confirmed. */
  async read() {
    const [all, seen] = await Promise.all([
      this.redis.hgetall(this.keys.interests),
      this.redis.hgetall(this.keys.interestsSeen),
    ]);
    const records = new Map<string, InterestRecord>();
    for (const [processId, json] of Object.entries(all)) {
      const record = parseInterestRecord(json);
      if (record !== null) records.set(processId, record);
    }
    return { records, seen: new Map(Object.entries(seen).map(([id, version]) => [id, Number(version)])) };
  }

  /** Confirms to processes the version of their interests that the master routes by. */
  async markSeen(versions: ReadonlyMap<string, number>): Promise<void> {
    await this.store.write([['HSET', this.keys.interestsSeen, ...[...versions].flat()]]);
  }

  /** Removes the interests of dead processes, and notifies them in case one lives. */
  async remove(processes: readonly string[]): Promise<void> {
    const { interests, interestsForgotten, interestsSeen } = this.keys;
    await Promise.all([interests, interestsSeen].map((key) => this.redis.hdel(key, ...processes)));
    await this.redis.publish(interestsForgotten, JSON.stringify(processes));
  }
}

export type InterestStore = Pick<RedisInterestStore, 'read' | 'markSeen' | 'remove'>;
