import { ownerRecord, partitionStreamPrefix } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import type { ChaosStage } from '../support/chaos-stage.js';

/** Describes non-empty partitions with their owners, and the processes, to help find lost detections. */
export async function describeLeftovers({ cluster }: ChaosStage): Promise<string> {
  const redis = new Redis(cluster.redis.url);
  redis.on('error', () => undefined);
  try {
    const streams = await redis.keys(`${partitionStreamPrefix(cluster.keyPrefix)}{*}`);
    const lines = await Promise.all(
      streams.map(async (stream) => {
        const [length, record] = await Promise.all([redis.xlen(stream), redis.hgetall(ownerRecord(stream))]);
        return length === 0 ? [] : [`${stream}: ${length} entries, ${JSON.stringify(record)}`];
      }),
    );
    const { followers } = await cluster.state();
    return [...lines.flat(), JSON.stringify({ followers })].join('\n');
  } finally {
    redis.disconnect();
  }
}
