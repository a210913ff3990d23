import type { FencedStore } from '@detector-cluster/election/fence';
import { UnreadableFields } from '@detector-cluster/election/internal';
import type { Redis } from 'ioredis';
import type { DeliveryKeys } from '../log/delivery-keys.js';

/** The number of partitions, 0 before the first master, and the highest one so far: any of these may have dead letters. */
export async function readPartitions(redis: Pick<Redis, 'hmget'>, keys: Pick<DeliveryKeys, 'partitions'>) {
  const texts = await redis.hmget(keys.partitions, 'count', 'most');
  const [count, most] = texts.map(wholeNumber);
  const unreadable = ['count', 'most'].filter((_, i) => texts[i] !== null && !wholeNumber(texts[i]!));
  return { count: count!, most: most!, unreadable };
}

/** 0 for what is no number that a master has written. */
const wholeNumber = (text: string | null): number => (/^\d{1,5}$/.test(text ?? '') ? Number(text) : 0);

/** Where the number of partitions is stored for all processes: a hash with `count`, and `most`, the highest count so far. */
export class RedisPartitionCount {
  private readonly unreadable: UnreadableFields;

  constructor(
    private readonly redis: Redis,
    private readonly store: FencedStore,
    private readonly keys: Pick<DeliveryKeys, 'partitions'>,
  ) {
    this.unreadable = new UnreadableFields(keys.partitions, (message) => store.foreign(message));
  }

  /** Null before the first master. */
  async read(): Promise<number | null> {
    const { count, unreadable } = await readPartitions(this.redis, this.keys);
    this.unreadable.note(unreadable);
    return count || null;
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
