import type { Redis } from 'ioredis';
import type { FencedStore } from '../fence/fenced-store.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';
import { HashMirror } from './hash-mirror.js';

/** Writes which process owns which partition, and tells every process to read the owner records. */
export class AssignmentPublisher {
  private readonly mirror: HashMirror;

  constructor(
    store: FencedStore,
    private readonly redis: Redis,
    private readonly keys: ClusterKeys,
  ) {
    this.mirror = new HashMirror(store, keys.assignments);
  }

  async publish(assignments: Readonly<Record<string, string>>): Promise<void> {
    // Always written completely: they rarely change, and a predecessor or a Redis that lost data may have left others.
    this.mirror.doubt();
    await this.mirror.sync(new Map(Object.entries(assignments)));
    await this.redis.publish(this.keys.partitionsChanged, 'granted');
    const message = { type: 'assignments_updated', assignments, timestamp: new Date().toISOString() };
    await this.redis.publish(this.keys.assignmentsChanged, JSON.stringify(message));
  }
}
