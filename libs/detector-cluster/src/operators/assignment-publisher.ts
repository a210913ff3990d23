import type { FencedStore } from '@detector-cluster/election/fence';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { HashMirror } from '../shared/hash-mirror.js';

/** Writes which process owns which partition, and has every process read the owner records. */
export class AssignmentPublisher {
  private readonly mirror: HashMirror;

  constructor(
    store: FencedStore,
    private readonly redis: Redis,
    private readonly keys: ClusterKeys,
  ) {
    this.mirror = new HashMirror(store, keys.assignments);
  }

  async publish(assignments: Readonly<Record<string, string>>, changed: boolean): Promise<void> {
    // Always compared: a predecessor, another program or a Redis that lost data may have left others.
    await this.mirror.compare();
    await this.mirror.sync(new Map(Object.entries(assignments)));
    if (!changed) return;
    await this.redis.publish(this.keys.partitionsChanged, 'granted');
    const message = { type: 'assignments_updated', assignments, timestamp: new Date().toISOString() };
    await this.redis.publish(this.keys.assignmentsChanged, JSON.stringify(message));
  }
}
