import { Redis } from 'ioredis';
import type { Stage } from '../support/stage.js';

/** For people who look for what became of detections: what is left in Redis, and who owns it. */
export async function describeLeftovers({ cluster }: Stage): Promise<string> {
  const redis = new Redis(cluster.redis.url);
  redis.on('error', () => undefined);
  try {
    const streams = await redis.keys(`${cluster.keyPrefix}worker:slave:*`);
    const lines = await Promise.all(
      streams.map(async (stream) => {
        const [length, groups] = await Promise.all([redis.xlen(stream), redis.xinfo('GROUPS', stream)]);
        return `${stream}: ${length} entries, groups ${JSON.stringify(groups)}`;
      }),
    );
    const state = await cluster.state();
    return [...lines, JSON.stringify({ assignments: state.assignments, slaves: state.slaves })].join('\n');
  } finally {
    redis.disconnect();
  }
}
