import type { FencedStore } from '@detector-cluster/election/fence';
import type { Redis } from 'ioredis';
import type { DeliveryKeys } from '../log/delivery-keys.js';

/** The number of partitions, 0 before the first master, and the highest one so far: any of these may have dead letters. */
export async function readPartitions(redis: Pick<Redis, 'hmget'>, keys: Pick<DeliveryKeys, 'partitions'>) {
  const [count, most] = (await redis.hmget(keys.partitions, 'count', 'most')).map(wholeNumber);
  return { count: count!, most: most! };
}

/** 0 for what is no number that a master has written. */
const wholeNumber = (text: string | null): number => (/^\d{1,5}$/.test(text ?? '') ? Number(text) : 0);

/** Where the number of partitions is stored for all processes: a hash with `count`, and `most`, the highest count so far. */
export class RedisPartitionCount {
  constructor(
    private readonly redis: Redis,
    private readonly store: FencedStore,
    private readonly keys: Pick<DeliveryKeys, 'partitions'>,
  ) {}

  /** Null before the first master. */
  async read(): Promise<number | null> {
    return (await readPartitions(this.redis, this.keys)).count || null;
  }

  /** Under the fence of the master's term. */
  async write(partitions: number): Promise<void> {
    const { most } = await readPartitions(this.redis, this.keys);
    await this.store.write([
      ['HSET', this.keys.partitions, 'count', partitions, 'most', Math.max(most, partitions)],
    ]);
  }
}

export type PartitionCountStore = Pick<RedisPartitionCount, 'read' | 'write'>;
