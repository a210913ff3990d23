import type { FencedStore } from '@detector-cluster/election/fence';
import { UnreadableFields } from '@detector-cluster/election/internal';
import type { Redis } from 'ioredis';
import type { DeliveryKeys } from '../log/delivery-keys.js';
import { type InterestRecord, parseInterestRecord } from './interest-record.js';

/** The interests of all processes, in two hashes by process. */
export class RedisInterestStore {
  private readonly unreadable: UnreadableFields;
  private readonly unreadableSeen: UnreadableFields;
  /** What was read last, by process. */
  private known: ReadonlyMap<string, { readonly json: string; readonly record: InterestRecord | null }> =
    new Map();

  constructor(
    private readonly redis: Redis,
    /** Of the master's term. */
    private readonly store: FencedStore,
    private readonly keys: Pick<DeliveryKeys, 'interests' | 'interestsForgotten' | 'interestsSeen'>,
  ) {
    const report = (message: string) => store.foreign(message);
    this.unreadable = new UnreadableFields(keys.interests, report);
    this.unreadableSeen = new UnreadableFields(keys.interestsSeen, report);
  }

  /**
   * By process: its interests, without unreadable records, and the version that the master has confirmed. Unchanged interests are
   * the same object as before.
   */
  async read() {
    const [all, seen] = await Promise.all([
      this.redis.hgetall(this.keys.interests),
      this.redis.hgetall(this.keys.interestsSeen),
    ]);
    const records = new Map<string, InterestRecord>();
    const unreadable: string[] = [];
    const parsed = Object.entries(all).map(([processId, json]) => {
      const known = this.known.get(processId);
      return [processId, known?.json === json ? known : { json, record: parseInterestRecord(json) }] as const;
    });
    this.known = new Map(parsed);
    for (const [processId, { record }] of parsed)
      if (record === null) unreadable.push(processId);
      else records.set(processId, record);
    this.unreadable.note(unreadable);
    const versions = Object.entries(seen).map(([id, version]): [string, number] => [id, Number(version)]);
    this.unreadableSeen.note(versions.flatMap(([id, version]) => (Number.isNaN(version) ? [id] : [])));
    return { records, seen: new Map(versions) };
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
