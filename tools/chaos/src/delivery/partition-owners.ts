import { type AppProcess, ownerRecord, partitionStreamPrefix } from '@detector-cluster/local-cluster';
import type { Redis } from 'ioredis';

/** The number of partitions of each owner, by the owner records in Redis. */
export class PartitionOwners {
  constructor(
    private readonly redis: Redis,
    private readonly keyPrefix: string,
  ) {}

  /** Backend → the number of its partitions. Backends without one are missing. */
  async count(backends: readonly AppProcess[]): Promise<ReadonlyMap<AppProcess, number>> {
    const streams = await this.redis.keys(`${partitionStreamPrefix(this.keyPrefix)}{*}`);
    const owners = await Promise.all(
      streams.map((stream) => this.redis.hget(ownerRecord(stream), 'process')),
    );
    const counts = new Map<AppProcess, number>();
    for (const owner of owners) {
      const backend = backends.find(({ name }) => owner?.startsWith(`${name}:`));
      if (backend !== undefined) counts.set(backend, (counts.get(backend) ?? 0) + 1);
    }
    return counts;
  }
}
