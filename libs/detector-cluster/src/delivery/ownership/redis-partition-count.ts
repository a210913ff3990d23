import type { Redis } from 'ioredis';
import type { FencedStore } from '../../fence/fenced-store.js';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import type { PartitionCountStore } from './partition-count.js';

export interface Partitions {
  /** 0 before the first master. */
  readonly count: number;
  /** The highest count that there ever was: dead letters may be beside any of these partitions. */
  readonly most: number;
}

export async function readPartitions(
  redis: Pick<Redis, 'hmget'>,
  keys: Pick<ClusterKeys, 'partitions'>,
): Promise<Partitions> {
  const [count, most] = await redis.hmget(keys.partitions, 'count', 'most');
  return { count: Number(count ?? 0), most: Number(most ?? 0) };
}

/** A hash under the fence: `count`, and `most`, the highest count so far. */
export class RedisPartitionCount implements PartitionCountStore {
  constructor(
    private readonly redis: Redis,
    private readonly store: FencedStore,
    private readonly keys: Pick<ClusterKeys, 'partitions'>,
  ) {}

  async read(): Promise<number | null> {
    return (await readPartitions(this.redis, this.keys)).count || null;
  }

  async write(partitions: number): Promise<void> {
    const { most } = await readPartitions(this.redis, this.keys);
    await this.store.write([
      ['HSET', this.keys.partitions, 'count', partitions, 'most', Math.max(most, partitions)],
    ]);
  }
}
